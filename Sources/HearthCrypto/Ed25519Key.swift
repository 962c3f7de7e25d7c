import CHearthOpenSSL

/// An Ed25519 key by OpenSSL, for signatures of RFC 8032.
package enum Ed25519Key {
  /// Bytes of a private key, and of a public one.
  package static let length = 32
  private static let signatureLength = 64

  /// The public half of a private key of 32 bytes.
  package static func publicKey(of seed: [UInt8]) -> [UInt8] {
    with(seed) { key in
      var bytes = [UInt8](repeating: 0, count: length)
      var count = length
      let isDone = EVP_PKEY_get_raw_public_key(key, &bytes, &count)
      precondition(isDone == 1 && count == length, "OpenSSL has no Ed25519")
      return bytes
    }
  }

  /// A signature of 64 bytes, the same each time.
  package static func sign(_ input: [UInt8], with seed: [UInt8]) -> [UInt8] {
    with(seed) { key in
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      var signature = [UInt8](repeating: 0, count: signatureLength)
      var count = signatureLength
      let isDone =
        EVP_DigestSignInit(context, nil, nil, nil, key) == 1
        && EVP_DigestSign(context, &signature, &count, input, input.count) == 1
      precondition(isDone && count == signatureLength, "OpenSSL has no Ed25519")
      return signature
    }
  }

  private static func with<Result>(_ seed: [UInt8], _ body: (OpaquePointer) -> Result) -> Result {
    precondition(seed.count == length, "a private key has \(length) bytes")
    guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
      preconditionFailure("OpenSSL has no Ed25519")
    }
    defer { EVP_PKEY_free(key) }
    return body(key)
  }
}
