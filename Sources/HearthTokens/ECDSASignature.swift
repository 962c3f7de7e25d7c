import CHearthOpenSSL

/// The two forms of an ECDSA signature on P-256: OpenSSL's, which is DER, and that of tokens (RFC 7518,
/// section 3.4), two numbers of 32 bytes.
enum ECDSASignature {
  private static let length: Int32 = 32

  static func pair(ofDER der: ArraySlice<UInt8>) -> [UInt8]? {
    let signature = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_ECDSA_SIG(nil, &start, bytes.count)
    }
    guard let signature else {
      ERR_clear_error()
      return nil
    }
    defer { ECDSA_SIG_free(signature) }
    var pair: [UInt8] = []
    for number in [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)] {
      var bytes = [UInt8](repeating: 0, count: Int(length))
      guard BN_bn2binpad(number, &bytes, length) == length else { return nil }
      pair += bytes
    }
    return pair
  }

  /// Nil for a text of another length.
  static func der(ofPair pair: [UInt8]) -> [UInt8]? {
    guard pair.count == 2 * Int(length), let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let r = BN_bin2bn(Array(pair.prefix(Int(length))), length, nil)
    let s = BN_bin2bn(Array(pair.suffix(Int(length))), length, nil)
    guard ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(r)
      BN_free(s)
      return nil
    }
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d_ECDSA_SIG(signature, &start)
    guard count > 0, let start else { return nil }
    defer { CRYPTO_free(start, #file, #line) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
