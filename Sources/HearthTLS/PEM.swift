import CHearthOpenSSL

/// Keys and certificates as text.
enum PEM {
  /// What OpenSSL writes into a buffer of its own, as text.
  static func text(_ write: (OpaquePointer) -> Int32) throws(TLSError) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw TLSError.openSSL }
    defer { BIO_free(bio) }
    guard write(bio) == 1 else { throw TLSError.openSSL }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = BIO_read(bio, &part, Int32(part.count)), count > 0 {
      text += part.prefix(Int(count))
    }
    guard !text.isEmpty else { throw TLSError.openSSL }
    return String(decoding: text, as: UTF8.self)
  }

  /// The caller owns the result.
  static func certificate(_ text: String) throws(TLSError) -> OpaquePointer {
    let certificate = reading(text) { PEM_read_bio_X509($0, nil, nil, nil) }
    guard let certificate else { throw TLSError("it is not a certificate") }
    return certificate
  }

  /// Reads from a text. What OpenSSL notes of a failure on this thread is removed, or it would be
  /// taken for that of a later call.
  static func reading(_ text: String, read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    Array(text.utf8).withUnsafeBytes { bytes in
      guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
      defer {
        BIO_free(bio)
        ERR_clear_error()
      }
      return read(bio)
    }
  }
}

/// Keys on the curve P-256, which are made in less than a millisecond.
enum PrivateKey {
  /// The caller owns the result.
  static func generate() throws(TLSError) -> OpaquePointer {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { throw TLSError.openSSL }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
      EVP_PKEY_generate(context, &key) == 1, let key
    else { throw TLSError.openSSL }
    return key
  }

  /// The caller owns the result.
  static func read(_ text: String) throws(TLSError) -> OpaquePointer {
    // Without an answer OpenSSL would ask the terminal for the password of an encrypted key.
    let key = PEM.reading(text) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    guard let key else { throw TLSError("it is not a private key") }
    return key
  }

  /// As PKCS #8.
  static func text(_ key: OpaquePointer) throws(TLSError) -> String {
    try PEM.text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }
}
