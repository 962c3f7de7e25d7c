import CHearthZlib

/// Compresses what is kept for long or sent often, in forms that ``Inflate`` reads.
package enum Deflate {
  /// In the form of RFC 1952, as small as may be. Nil where the bytes would not become fewer.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    // What zlib calls the size of the window also says which header it writes.
    let windowOfGzip: Int32 = 31
    return packed(bytes, window: windowOfGzip).flatMap { $0.count < bytes.count ? $0 : nil }
  }

  /// In the form of RFC 1951, without header and check sum, also where the bytes become more.
  package static func bare(_ bytes: [UInt8]) -> [UInt8] {
    guard let output = packed(bytes, window: -15) else { preconditionFailure("zlib failed") }
    return output
  }

  private static func packed(_ bytes: [UInt8], window: Int32) -> [UInt8]? {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let room = Int(deflateBound(&stream, UInt(bytes.count)))
    var status = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      bytes.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: room)
        status = deflate(&stream, Z_FINISH)
      }
      count = status == Z_STREAM_END ? room - Int(stream.avail_out) : 0
    }
    return status == Z_STREAM_END ? output : nil
  }

  /// In the form of RFC 1950, fast. Nil where the bytes would not become fewer.
  package static func zlib(_ bytes: [UInt8]) -> [UInt8]? {
    let room = compressBound(UInt(bytes.count))
    var length = room
    var status = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: Int(room)) { output, count in
      // The fastest level: attachments are in Base64, which no level makes much smaller.
      status = compress2(
        output.baseAddress, &length, bytes, UInt(bytes.count), Z_BEST_SPEED)
      count = status == Z_OK ? Int(length) : 0
    }
    return status == Z_OK && output.count < bytes.count ? output : nil
  }
}
