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
        var size = UInt32(length)
        EVP_Digest(input, input.count, output.baseAddress, &size, algorithm, nil)
      case .sha256: SHA256(input, input.count, output.baseAddress)
      case .sha512: SHA512(input, input.count, output.baseAddress)
      }
      count = length
    }
  }

  package func hmac(_ input: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(unsafeUninitializedCapacity: length) { output, count in
      var size = UInt32(length)
      HMAC(algorithm, key, Int32(key.count), input, input.count, output.baseAddress, &size)
      count = length
    }
  }

  package func pbkdf2(
    password: [UInt8], salt: [UInt8], rounds: Int, length: Int
  ) -> [UInt8] {
    Array(unsafeUninitializedCapacity: length) { output, count in
      let password = password.map { CChar(bitPattern: $0) }
      PKCS5_PBKDF2_HMAC(
        password, Int32(password.count), salt, Int32(salt.count), Int32(max(1, rounds)), algorithm,
        Int32(length), output.baseAddress)
      count = length
    }
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
