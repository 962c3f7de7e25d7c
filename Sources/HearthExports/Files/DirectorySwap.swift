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
package enum DirectorySwap {
  /// The new files have the old name only, afterwards.
  package static func put(_ new: String, inPlaceOf old: String) throws {
    _ = try exchange(new, with: old)
    forget(old)
  }

  /// Puts new files in the place of old ones, which are kept until `forget` is called.
  ///
  /// - Returns: what undoes it.
  package static func exchange(_ new: String, with old: String) throws -> () -> Void {
    let previous = previous(of: old)
    let isThere = FileManager.default.fileExists(atPath: old)
    if isThere {
      try? FileManager.default.removeItem(atPath: previous)
      try rename(old, to: previous)
    }
    do {
      try rename(new, to: old)
    } catch {
      if isThere { try? rename(previous, to: old) }
      throw error
    }
    return {
      try? FileManager.default.removeItem(atPath: old)
      if isThere { try? rename(previous, to: old) }
    }
  }

  /// Deletes the files in whose place others were put.
  package static func forget(_ old: String) {
    try? FileManager.default.removeItem(atPath: previous(of: old))
  }

  /// The directory to read: where a process was killed between the two steps, the old one has its
  /// other name still.
  package static func current(_ path: String) -> String {
    let previous = previous(of: path)
    let files = FileManager.default
    return !files.fileExists(atPath: path) && files.fileExists(atPath: previous) ? previous : path
  }

  /// A hidden name that nobody else uses: what has it is deleted.
  private static func previous(of path: String) -> String { hidden(path, kind: "previous") }

  /// Where files are written that are to have that path when they are complete.
  package static func partial(of path: String) -> String { hidden(path, kind: "partial") }

  private static func hidden(_ path: String, kind: String) -> String {
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    return "\(path[..<start]).\(path[start...]).hearth-\(kind)"
  }

  /// A file that has that name is replaced.
  package static func rename(_ path: String, to other: String) throws {
    guard systemRename(path, other: other) == 0 else {
      throw ExportError("cannot write \(other): \(String(cString: strerror(errno)))")
    }
  }
}

/// `rename` under a name that a type with a `rename` of its own can call.
private func systemRename(_ path: String, other: String) -> Int32 { rename(path, other) }
