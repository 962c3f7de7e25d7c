import COpenSSL

/// Message digests by OpenSSL.
package enum Digest: String, Sendable, CaseIterable {
  case md5 = "MD5"
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha512 = "SHA512"

  /// These are static tables inside OpenSSL; unlike a fetch by name they cost nothing.
  private var algorithm: OpaquePointer? {
    switch self {
    case .md5: EVP_md5()
    case .sha1: EVP_sha1()
    case .sha256: EVP_sha256()
    case .sha512: EVP_sha512()
    }
  }

  private var length: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }

  package func hash(_ input: [UInt8]) -> [UInt8] {
    Array(unsafeUninitializedCapacity: length) { output, count in
      switch self {
      case .md5, .sha1:
        let isDone = EVP_Digest(
          input, input.count, output.baseAddress, nil, algorithm, nil)
        precondition(isDone == 1, "OpenSSL has no \(rawValue)")
      case .sha256: SHA256(input, input.count, output.baseAddress)
      case .sha512: SHA512(input, input.count, output.baseAddress)
      }
      count = length
    }
  }

  package func hmac(_ input: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(unsafeUninitializedCapacity: length) { output, count in
      let result = HMAC(
        algorithm, key, Int32(key.count), input, input.count, output.baseAddress, nil)
      precondition(result != nil, "OpenSSL has no HMAC of \(rawValue)")
      count = length
    }
  }

  package func pbkdf2(
    password: [UInt8], salt: [UInt8], rounds: Int, length: Int
  ) -> [UInt8] {
    Array(unsafeUninitializedCapacity: length) { output, count in
      let isDone = password.withCharacters { characters, size in
        PKCS5_PBKDF2_HMAC(
          characters, Int32(size), salt, Int32(salt.count), Int32(max(1, rounds)), algorithm,
          Int32(length), output.baseAddress)
      }
      precondition(isDone == 1, "OpenSSL has no PBKDF2 of \(rawValue)")
      count = length
    }
  }
}

extension [UInt8] {
  /// The bytes as C's `char`, which has a sign on some machines and none on others.
  func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
    withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress, $0.count) }
  }
}

/// Comparisons whose time tells nothing about where two values differ.
package enum ConstantTime {
  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }

  package static func equal(_ left: String, _ right: String) -> Bool {
    equal(Array(left.utf8), Array(right.utf8))
  }
}
