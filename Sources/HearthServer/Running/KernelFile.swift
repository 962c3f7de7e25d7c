#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that the kernel makes while it is read, such as those of `/proc`.
package enum KernelFile {
  /// In bytes: nothing says that such a file ends.
  private static let most = 16 << 20

  /// Its text to the end; nil where there is no such file.
  ///
  /// It has no size and comes in pieces of a page, however much is asked for. Foundation takes the first
  /// piece for all of it.
  package static func text(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < most {
      let count = fread(&piece, 1, piece.count, file)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
