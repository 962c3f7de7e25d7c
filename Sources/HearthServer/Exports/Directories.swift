import HearthExports

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

/// Directories that exports are written to.
enum Directories {
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "/.")
  }

  /// Readable by its owner only, where there is none yet: it will hold hashes of passwords.
  static func make(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The system would take a path up to its first NUL, and another directory than was meant.
  static func check(_ path: String) throws {
    guard !path.utf8.contains(0) else { throw ExportError("a path has no character U+0000") }
  }

  /// Without slashes at the end, so that a name can be appended.
  static func plain(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Calls what writes, one after the other for each directory, and says of a fault of the file
  /// system what it was.
  static func writing(to path: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as CocoaError {
      throw ExportError("cannot write to \(path): \(error.reason)")
    }
  }
}

extension CocoaError {
  /// What the system says, such as `Permission denied`.
  fileprivate var reason: String {
    guard let cause = underlying as? POSIXError else { return "error \(code.rawValue)" }
    return String(cString: strerror(cause.code.rawValue))
  }
}
