import CHearthZlib

/// Compresses what is kept for long: in the form of RFC 1950, which ``Inflate`` reads.
package enum Deflate {
  /// Nil where the bytes would not become fewer.
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
