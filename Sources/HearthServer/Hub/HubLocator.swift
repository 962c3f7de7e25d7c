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
        "Another hub (process \(owner)) runs for this project: \(path) stays as it is.")
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
