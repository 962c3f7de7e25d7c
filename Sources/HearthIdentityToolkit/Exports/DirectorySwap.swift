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

/// Puts new files in the place of old ones so that at every moment one of them is there whole, also
/// where the process is killed.
enum DirectorySwap {
  /// The new files have the old name only, afterwards.
  static func put(_ new: String, inPlaceOf old: String) throws {
    let previous = previous(of: old)
    guard FileManager.default.fileExists(atPath: old) else { return try rename(new, to: old) }
    try? FileManager.default.removeItem(atPath: previous)
    try rename(old, to: previous)
    do {
      try rename(new, to: old)
    } catch {
      try? rename(previous, to: old)
      throw error
    }
    try? FileManager.default.removeItem(atPath: previous)
  }

  /// The directory to read: where a process was killed between the two steps, the old one has its
  /// other name still.
  static func current(_ path: String) -> String {
    let previous = previous(of: path)
    let files = FileManager.default
    return !files.fileExists(atPath: path) && files.fileExists(atPath: previous) ? previous : path
  }

  private static func previous(of path: String) -> String { path + ".previous" }

  /// A file that has that name is replaced.
  static func rename(_ path: String, to other: String) throws {
    guard systemRename(path, other) == 0 else {
      throw ExportError("cannot write \(other): \(String(cString: strerror(errno)))")
    }
  }
}

/// `rename` under a name that a type with a `rename` of its own can call.
private func systemRename(_ path: String, _ other: String) -> Int32 { rename(path, other) }
