import CHearthOpenSSL

/// The key derivation of RFC 7914.
package enum Scrypt {
  private static let memory: UInt64 = 1 << 28
  /// The product of all three parameters: about a second.
  package static let mostSteps: UInt64 = 1 << 22

  /// Whether anything can be derived with these parameters: OpenSSL's own conditions, and bounds on
  /// memory and time.
  package static func accepts(n: UInt64, r: UInt64, p: UInt64) -> Bool {
    let isPowerOfTwo = n > 1 && n & (n - 1) == 0
    guard isPowerOfTwo, r > 0, p > 0, r * p < 1 << 30, n < 1 << 32 else { return false }
    guard 16 * r >= 64 || n < 1 << (16 * r) else { return false }
    return n * r * p <= mostSteps && 128 * r * p + 128 * r * (n + 2) <= memory
  }

  /// - Returns: nil when OpenSSL refuses the parameters.
  package static func derive(
    password: [UInt8], salt: [UInt8], n: UInt64, r: UInt64, p: UInt64, length: Int
  ) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: length)
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
