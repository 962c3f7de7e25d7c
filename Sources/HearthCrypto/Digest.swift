import CHearthOpenSSL

/// Message digests by OpenSSL.
package enum Digest: String, Sendable, CaseIterable {
  case md5 = "MD5"
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha512 = "SHA512"

  private var algorithm: OpaquePointer? {
    switch self {
    case .md5: Algorithms.found.md5
    case .sha1: Algorithms.found.sha1
    case .sha256: Algorithms.found.sha256
    case .sha512: Algorithms.found.sha512
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
      let isDone = EVP_Digest(input, input.count, output.baseAddress, nil, algorithm, nil)
      precondition(isDone == 1, "OpenSSL has no \(rawValue)")
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

/// Found once: where OpenSSL is handed a name, or one of its static tables, it looks for the
/// implementation each time, which takes longer than to hash what is hashed here.
private struct Algorithms: @unchecked Sendable {
  /// They are never freed, and OpenSSL lets many threads use one.
  static let found = Algorithms()

  let md5 = EVP_MD_fetch(nil, "MD5", nil)
  let sha1 = EVP_MD_fetch(nil, "SHA1", nil)
  let sha256 = EVP_MD_fetch(nil, "SHA256", nil)
  let sha512 = EVP_MD_fetch(nil, "SHA512", nil)
}

extension [UInt8] {
  /// The bytes as digits, in lower case.
  package var hexDigits: [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

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
