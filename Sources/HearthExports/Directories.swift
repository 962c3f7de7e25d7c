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

/// Directories that exports are written to. Foundation says what failed in its own words; here it
/// becomes the system's.
package enum Directories {
  /// Whether it is there and is a directory, through a symbolic link, too.
  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "/.")
  }

  /// Readable by its owner only, where there is none yet: it will hold hashes of passwords.
  package static func make(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Refuses a path with U+0000: the system would take it up to there, and another directory than
  /// was meant.
  package static func check(_ path: String) throws {
    guard !path.utf8.contains(0) else { throw ExportError("a path has no character U+0000") }
  }

  /// Without slashes at the end, so that a name can be appended.
  package static func plain(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  /// The path from the root on, for those who look from another folder.
  package static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/") else { return path }
    return FileManager.default.currentDirectoryPath + "/" + path
  }

  /// The path without symbolic links, as far as it is there; nil where one of them leads nowhere.
  package static func resolved(_ path: String) -> String? {
    let path = plain(path)
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    // What is there and cannot be resolved is a link.
    var status = stat()
    guard lstat(path, &status) != 0, !path.isEmpty else { return nil }
    guard let slash = path.lastIndex(of: "/") else { return resolved(".").map { $0 + "/" + path } }
    let name = path[slash...]
    return resolved(slash == path.startIndex ? "/" : String(path[..<slash])).map { $0 + name }
  }

  /// Removes it with all that it holds. A failure shows when its name is needed again.
  package static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Calls what writes, one after the other for each directory, and says of a fault of the file
  /// system what it was.
  package static func writing<Value>(to path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
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
