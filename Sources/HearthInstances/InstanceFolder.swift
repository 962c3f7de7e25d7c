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

/// Where the servers of a user leave word of themselves: a file for each, that its server keeps
/// locked. The system takes the lock away when the process ends, however it ends, so a file that is
/// not locked tells of nobody and is removed.
package struct InstanceFolder: Sendable {
  private static let suffix = ".json"
  /// One file is some hundred bytes.
  private static let longest = 64 << 10
  private static let most = 1000

  package let path: String

  package init(path: String) { self.path = path }

  /// In the folder that the system gives the user for such files, or in that for temporary ones.
  package init(environment: [String: String]) {
    if let own = environment["XDG_RUNTIME_DIR"].nonEmpty, Self.isOwnFolder(own) {
      self.init(path: own + "/hearth")
    } else {
      let folder = environment["TMPDIR"].nonEmpty ?? "/tmp"
      self.init(path: "\(folder)/hearth-\(geteuid())")
    }
  }

  package static var standard: InstanceFolder {
    InstanceFolder(environment: ProcessInfo.processInfo.environment)
  }

  /// Leaves word of a server for as long as the entry lives; nil when that fails. The server
  /// runs anyway.
  package func announce(_ instance: Instance) -> InstanceEntry? {
    // The last one who ends removes the folder, maybe just now.
    entry(instance) ?? entry(instance)
  }

  private func entry(_ instance: Instance) -> InstanceEntry? {
    mkdir(path, 0o700)
    guard Self.isOwnFolder(path) else { return nil }
    let (file, partial) = (place(of: instance.process), "\(path)/\(instance.process).partial")
    unlink(partial)
    let descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    let bytes = instance.json.bytes
    // It gets its name when it is locked and complete.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count,
      rename(partial, file) == 0
    else {
      close(descriptor)
      unlink(partial)
      return nil
    }
    return InstanceEntry(file: file, folder: path, descriptor: descriptor)
  }

  /// The servers that run, by their start.
  package func running() -> [Instance] {
    guard Self.isOwnFolder(path) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(Self.suffix) }.sorted().prefix(Self.most)
      .compactMap { read("\(path)/\($0)") }
      .sorted { ($0.startedAt, $0.process) < ($1.startedAt, $1.process) }
  }

  /// The server that has a port.
  package func owner(of port: Int) -> Instance? {
    running().first { $0.ports.contains { $0.number == port } }
  }

  private func place(of process: Int32) -> String { "\(path)/\(process)\(Self.suffix)" }

  /// Nil for a file that is nobody's any more.
  private func read(_ file: String) -> Instance? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // The lock is its server's, if there is one. A shared one does not keep other readers out.
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
      unlink(file)
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count > 0, count < Self.longest, let json = try? JSON.parse(Array(bytes[..<count])) else {
      return nil
    }
    return Instance(json)
  }

  /// Nobody else may have put anything there.
  private static func isOwnFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o022 == 0
  }
}

/// The file of a running server. A class, because the lock ends with it.
package final class InstanceEntry: Sendable {
  private let file: String
  private let folder: String
  private let descriptor: Int32

  fileprivate init(file: String, folder: String, descriptor: Int32) {
    self.file = file
    self.folder = folder
    self.descriptor = descriptor
  }

  deinit {
    unlink(file)
    close(descriptor)
    // It stays where others have files in it.
    rmdir(folder)
  }
}
