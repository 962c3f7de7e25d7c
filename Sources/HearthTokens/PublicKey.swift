import CHearthOpenSSL
package import HearthWire

/// An RSA public key of another party, which verifies its signatures.
///
/// Unchecked for the same reason as `SigningKey`: the pointer never changes, and nothing modifies what
/// it points to.
package final class PublicKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// Reads a JSON Web Key. Nil for what is not an RSA key of 2048 to 8192 bits.
  package init?(jwk: JSON) {
    guard jwk["kty"]?.string == "RSA", jwk["use"]?.string ?? "sig" == "sig",
      let modulus = jwk["n"]?.string.flatMap({ Base64.decode($0) }), modulus.count <= 1025,
      let exponent = jwk["e"]?.string.flatMap({ Base64.decode($0) }), exponent.count <= 8
    else { return nil }
    let der = Self.subjectPublicKeyInfo(modulus, exponent: exponent)
    let key = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_PUBKEY(nil, &start, bytes.count)
    }
    guard let key else {
      ERR_clear_error()
      return nil
    }
    guard EVP_PKEY_get_bits(key) >= 2048 else {
      EVP_PKEY_free(key)
      return nil
    }
    self.key = key
  }

  /// Reads an X.509 certificate as PEM, or as bare Base64. Nil for what is not one with an RSA key of
  /// 2048 to 8192 bits. Its times and its issuer are not looked at.
  package init?(certificate text: String) {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
    guard text.utf8.count <= 1 << 16,
      let der = Base64.decode(lines.joined().filter { !$0.isWhitespace })
    else { return nil }
    let certificate = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_X509(nil, &start, bytes.count)
    }
    defer {
      X509_free(certificate)
      ERR_clear_error()
    }
    guard let certificate, let key = X509_get_pubkey(certificate) else { return nil }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA, (2048...8192).contains(EVP_PKEY_get_bits(key))
    else {
      EVP_PKEY_free(key)
      return nil
    }
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  /// Whether an RSASSA-PKCS1-v1_5 signature over SHA-256 is this key's.
  package func verify(_ signature: [UInt8], of input: [UInt8]) -> Bool {
    DigestSignature.isValid(signature, of: input, by: key)
  }

  // MARK: DER

  /// RFC 5280: the algorithm and the key, which OpenSSL reads in all its versions.
  private static func subjectPublicKeyInfo(_ modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    let rsaEncryption: [UInt8] = [
      0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    let key = sequence(integer(modulus) + integer(exponent))
    return sequence(sequence(rsaEncryption) + element(0x03, content: [0] + key))
  }

  private static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content: content) }

  /// A positive number.
  private static func integer(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array(bytes.drop { $0 == 0 })
    return element(0x02, content: (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
  }

  private static func element(_ tag: UInt8, content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(count)] + content }
    if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
    return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
  }
}
