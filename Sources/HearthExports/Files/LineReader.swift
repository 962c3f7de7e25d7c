#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The lines of a file, one at a time.
package struct LineReader: Sequence, IteratorProtocol {
  /// A file without lines must not end up in memory.
  private static let longestLine = 64 << 20

  private let handle: OpenFile
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  package init(_ handle: OpenFile) { self.handle = handle }

  package mutating func next() -> Result<[UInt8], any Error>? {
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return .success(Array(buffer[start..<end]))
      }
      buffer.removeFirst(start)
      start = 0
      if isAtEnd {
        guard !buffer.isEmpty else { return nil }
        defer { buffer = [] }
        return .success(buffer)
      }
      do {
        let chunk = try handle.read(upToCount: 1 << 20) ?? Data()
        isAtEnd = chunk.isEmpty
        buffer += chunk
        guard buffer.count <= Self.longestLine else {
          isAtEnd = true
          buffer = []
          return .failure(ExportError("a line has more than \(Self.longestLine >> 20) MiB"))
        }
      } catch {
        isAtEnd = true
        return .failure(error)
      }
    }
  }
}
