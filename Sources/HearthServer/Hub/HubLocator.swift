import HearthOperations
import HearthTransport
import HearthWire
import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file by which other programs find the hub of a project.
struct HubLocator {
  private let origin: String

  init(_ addresses: Addresses, port: Int) { origin = "http://" + addresses.authority(port) }

  var json: JSON {
    .members([
      "version": .string(HearthVersion.text), "origins": [.string(origin)],
      "pid": .int(Int64(getpid())),
    ])
  }

  /// `hub-demo-app.json` in the directory for temporary files.
  static func path(
    of project: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    let directory =
      ["TMPDIR", "TMP", "TEMP"].lazy.compactMap { environment[$0].nonEmpty }.first ?? "/tmp"
    return URL(fileURLWithPath: directory).appendingPathComponent("hub-\(project).json").path
  }

  /// Writes the file, unless that of another hub is there that still runs.
  func write(to path: String, _ logger: Logger) {
    if let owner = Self.owner(of: path), owner != getpid(), Self.isAlive(owner) {
      logger.warning(
        "Another hub (process \(owner)) runs for this project: \(path) is left unchanged.")
      return
    }
    do {
      try Data(json.bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      logger.warning("The hub's file \(path) cannot be written: \(error)")
    }
  }

  /// Removes the file if it is this process's.
  static func remove(_ path: String) {
    guard owner(of: path) == getpid() else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The project whose hub a process has, by the files of this user; nil for none.
  static func project(of process: pid_t) -> String? {
    let folder = URL(fileURLWithPath: path(of: "x")).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let own = names.first { name in
      name.hasPrefix("hub-") && name.hasSuffix(".json") && owner(of: "\(folder)/\(name)") == process
    }
    return own.map { String($0.dropFirst("hub-".count).dropLast(".json".count)) }
  }

  private static func owner(of path: String) -> pid_t? {
    guard let data = FileManager.default.contents(atPath: path), data.count < 64 << 10,
      let json = try? JSON.parse(Array(data))
    else { return nil }
    return json["pid"]?.integer.flatMap(pid_t.init(exactly:)).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func isAlive(_ process: pid_t) -> Bool {
    kill(process, 0) == 0 || errno == EPERM
  }
}
