import HearthInstances
import HearthWire

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

/// Who listens at a port of this machine, as far as this user may know.
package struct PortOwner {
  private let process: pid_t
  private let program: String
  /// The project whose server the process is; nil for none.
  private let project: String?
  /// Where it was started; nil where nobody knows.
  private let folder: String?

  /// Nil where the system does not say who it is.
  package init?(of port: Int) {
    let instances = InstanceFolder.standard
    let process = Self.listener(at: port)
    let instance =
      process.map { process in instances.running().first { $0.process == process } }
      ?? instances.owner(of: port)
    guard let process = process ?? instance?.process else { return nil }
    self.process = process
    program = instance == nil ? Self.line("/proc/\(process)/comm") ?? "unknown" : "hearth"
    project = instance?.project ?? HubLocator.project(of: process)
    folder = instance?.folder
  }

  /// After `is already in use`.
  package var words: String {
    guard process != getpid() else { return " by this hearth itself" }
    guard program == "hearth" else { return " by \(program) (process \(process))" }
    let place = folder.map { "in \(Instance.shown($0))" }
    let parts = [project.map { "project \($0)" }, "process \(process)", place]
    return " by another hearth (\(parts.compactMap(\.self).joined(separator: ", ")))"
  }

  // MARK: The system's tables

  private static func listener(at port: Int) -> pid_t? {
    let numbers = Set(
      ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { Self.sockets(listeningAt: port, in: $0) })
    guard !numbers.isEmpty else { return nil }
    let links = Set(numbers.map { "socket:[\($0)]" })
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.lazy.compactMap(pid_t.init).first { holds(links, process: $0) }
  }

  /// The numbers of the sockets: a row is `sl local remote state … inode`, in hexadecimal digits.
  private static func sockets(listeningAt port: Int, in table: String) -> [Substring] {
    let hexadecimal = String(port, radix: 16, uppercase: true)
    let digits = String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
    let rows = (KernelFile.text(of: table) ?? "").split(separator: "\n").dropFirst()
    return rows.compactMap { row in
      let fields = row.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", fields[1].hasSuffix(":" + digits) else {
        return nil
      }
      return fields[9]
    }
  }

  private static func holds(_ links: Set<String>, process: pid_t) -> Bool {
    let folder = "/proc/\(process)/fd"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return descriptors.contains { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target.map(links.contains) ?? false
    }
  }

  private static func line(_ path: String) -> String? {
    KernelFile.text(of: path)?.split(separator: "\n").first.map(String.init)
  }
}
