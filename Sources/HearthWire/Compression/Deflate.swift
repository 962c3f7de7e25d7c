import CHearthZlib

/// Compresses what is kept for long or sent often, in forms that ``Inflate`` reads.
package enum Deflate {
  /// In the form of RFC 1952, as small as may be. Nil where the bytes would not become fewer.
  package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // What zlib calls the size of the window also says which header it writes.
    let windowOfGzip: Int32 = 31
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowOfGzip, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
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
    return status == Z_STREAM_END && output.count < bytes.count ? output : nil
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
