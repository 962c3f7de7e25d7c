import CHearthZlib

/// Reads bodies that clients have compressed: `gzip` (RFC 1952) and `deflate` (RFC 1950, and the
/// bare form that some send instead).
///
/// The handlers of NIO's HTTP compression do the same within a channel. They take neither the bare
/// form nor the messages of gRPC, and unpack on the event loop.
package enum Inflate {
  package enum Failure: Error, Equatable {
    case damaged
    /// The bytes would be more than the limit.
    case tooLarge
  }

  /// What zlib calls the size of the window also says which header and check sum it expects.
  private enum Form: Int32 {
    case zlib = 15
    case bare = -15
    case gzip = 31
  }

  /// What follows the end of the compressed bytes is not looked at.
  package static func gzip(_ bytes: [UInt8], atMost limit: Int) throws(Failure) -> [UInt8] {
    try unpack(bytes, form: .gzip, atMost: limit)
  }

  package static func deflate(_ bytes: [UInt8], atMost limit: Int) throws(Failure) -> [UInt8] {
    let hasHeader =
      bytes.count >= 2 && bytes[0] & 0x0F == 8
      && (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31) && bytes[1] & 0x20 == 0
    return try unpack(bytes, form: hasHeader ? .zlib : .bare, atMost: limit)
  }

  private static func unpack(
    _ bytes: [UInt8], form: Form, atMost limit: Int
  ) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, form.rawValue, ZLIB_VERSION, size) == Z_OK else {
      throw .damaged
    }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    try bytes.withUnsafeBufferPointer { input throws(Failure) in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(clamping: input.count)
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      var status = Z_OK
      while status == Z_OK {
        let count = chunk.withUnsafeMutableBufferPointer { room in
          stream.next_out = room.baseAddress
          stream.avail_out = UInt32(room.count)
          status = inflate(&stream, Z_NO_FLUSH)
          return room.count - Int(stream.avail_out)
        }
        guard output.count + count <= limit else { throw .tooLarge }
        output += chunk[..<count]
      }
      guard status == Z_STREAM_END else { throw .damaged }
    }
    return output
  }
}
