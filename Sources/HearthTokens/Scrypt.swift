import COpenSSL

/// The key derivation of RFC 7914.
package enum Scrypt {
  /// - Returns: nil when OpenSSL refuses the parameters.
  package static func derive(
    password: [UInt8], salt: [UInt8], n: UInt64, r: UInt64, p: UInt64, length: Int
  ) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: length)
    let memory: UInt64 = 1 << 30
    let isDerived = password.withCharacters { characters, size in
      EVP_PBE_scrypt(characters, size, salt, salt.count, n, r, p, memory, &output, length)
    }
    return isDerived == 1 ? output : nil
  }
}

/// The block cipher in the one mode that an imported hash needs.
package enum AES {
  /// AES-256 in counter mode with a counter that starts at zero.
  package static func ctr256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
    guard key.count == 32, let context = EVP_CIPHER_CTX_new() else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    let counter = [UInt8](repeating: 0, count: 16)
    guard EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nil, key, counter) == 1 else { return nil }
    var output = [UInt8](repeating: 0, count: bytes.count + 16)
    var count: Int32 = 0
    guard EVP_EncryptUpdate(context, &output, &count, bytes, Int32(bytes.count)) == 1 else {
      return nil
    }
    return Array(output.prefix(Int(count)))
  }
}
