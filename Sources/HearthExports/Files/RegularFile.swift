#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files of an import. Only regular ones: to open or read a pipe or a device may wait for ever.
package enum RegularFile {
  /// What is read as a whole is small.
  private static let largest = 16 << 20

  /// - Returns: nil if the file does not exist.
  /// - Throws: ``ExportError`` when there is one that cannot be read.
  package static func open(ifThere path: String) throws(ExportError) -> OpenFile? {
    // Not waiting for a writer, where it is a pipe after all.
    let descriptor = systemOpen(path, flags: O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw ExportError("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    let handle = OpenFile(descriptor)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw ExportError("\(path) is not a regular file")
    }
    return handle
  }

  package static func open(_ path: String) throws(ExportError) -> OpenFile {
    guard let handle = try open(ifThere: path) else { throw ExportError("not found: \(path)") }
    return handle
  }

  /// The whole file; nil when there is none.
  package static func contents(_ path: String) throws(ExportError) -> Data? {
    guard let handle = try open(ifThere: path) else { return nil }
    let data: Data
    do {
      data = try handle.read(upToCount: largest + 1) ?? Data()
    } catch {
      throw ExportError("cannot read \(path)")
    }
    guard data.count <= largest else {
      throw ExportError("\(path) has more than \(largest >> 20) MiB")
    }
    return data
  }
}

/// `open` under a name that a type with an `open` of its own can call.
private func systemOpen(_ path: String, flags: Int32) -> Int32 { open(path, flags) }
