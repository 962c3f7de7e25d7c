import Dispatch
import HearthMCP

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lines that come in at the standard input.
enum StandardInput {
  /// Lines that are read ahead of the reader.
  private static let ahead = 16

  /// Up to the end of the input. Reading blocks a thread of its own.
  static var lines: AsyncStream<MCPLines.Line> {
    let room = DispatchSemaphore(value: ahead)
    let (stream, continuation) = AsyncStream.makeStream(of: MCPLines.Line.self)
    DispatchQueue(label: "hearth.input").async {
      var lines = MCPLines()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while let count = read(into: &buffer) {
        for line in lines.feed(buffer[..<count]) {
          room.wait()
          continuation.yield(line)
        }
      }
      for line in lines.finish() { continuation.yield(line) }
      continuation.finish()
    }
    return AsyncStream(unfolding: {
      for await line in stream {
        room.signal()
        return line
      }
      return nil
    })
  }

  /// How many bytes came; nil at the end.
  private static func read(into buffer: inout [UInt8]) -> Int? {
    while true {
      let count = buffer.withUnsafeMutableBytes { systemRead(STDIN_FILENO, bytes: $0) }
      if count < 0, errno == EINTR { continue }
      return count > 0 ? count : nil
    }
  }
}

/// `read` under a name that a type with a `read` of its own can call.
private func systemRead(_ descriptor: Int32, bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
