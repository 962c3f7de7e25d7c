#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An open file. It owns the descriptor. Foundation's `FileHandle` would bring all of Foundation into
/// the binary.
package final class OpenFile {
  private let descriptor: Int32
  private var isOpen = true

  /// Takes the descriptor over.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// An empty file that its owner alone can read; nil where it cannot be made.
  convenience init?(writing path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    // There may have been one that others can read.
    fchmod(descriptor, 0o600)
    self.init(descriptor)
  }

  deinit { if isOpen { _ = systemClose(descriptor) } }

  /// Reads that many bytes, or fewer where the file ends; nil at its end.
  package func read(upToCount count: Int) throws -> Data? {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: min(count, 1 << 18))
    while data.count < count {
      let wanted = min(chunk.count, count - data.count)
      let got = chunk.withUnsafeMutableBytes { systemRead(descriptor, bytes: $0, count: wanted) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw Self.failure("read") }
      guard got > 0 else { break }
      data.append(contentsOf: chunk[..<got])
    }
    return data.isEmpty ? nil : data
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, bytes: UnsafeRawBufferPointer(rebasing: rest))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw Self.failure("write") }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Returns when the bytes are on the disk.
  func synchronize() throws {
    guard fsync(descriptor) == 0 else { throw Self.failure("write") }
  }

  func close() throws {
    isOpen = false
    guard systemClose(descriptor) == 0 else { throw Self.failure("write") }
  }

  private static func failure(_ verb: String) -> ExportError {
    ExportError("cannot \(verb): \(String(cString: strerror(errno)))")
  }
}

// Under names that a type with methods of the same names can call.

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemRead(
  _ descriptor: Int32, bytes: UnsafeMutableRawBufferPointer, count: Int
) -> Int {
  read(descriptor, bytes.baseAddress, count)
}

private func systemWrite(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
