import HearthCrypto
import Testing

/// The examples of RFC 1321, FIPS 180-4, RFC 2202 and RFC 4231; those of PBKDF2 are Python's.
@Suite struct `A digest` {
  @Test(arguments: [
    (Digest.md5, "900150983cd24fb0d6963f7d28e17f72"),
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ])
  func `of a text is that of its standard`(digest: Digest, expected: String) {
    #expect(digits(of: digest.hash(Array("abc".utf8))) == expected)
  }

  @Test(arguments: [
    (Digest.md5, "750c783e6ab0b503eaa86e310a5db738"),
    (.sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    (.sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (
      .sha512,
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
  ])
  func `with a key is that of its standard`(digest: Digest, expected: String) {
    let code = digest.hmac(
      Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(digits(of: code) == expected)
  }

  @Test(arguments: [
    (Digest.md5, "042407b552be345ad6eee2cf2f7ed01dd9662d8f"),
    (.sha1, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
    (.sha256, "ae4d0c95af6b46d32d0adff928f06dd02a303f8e"),
    (.sha512, "e1d9c16aa681708a45f5c7c4e215ceb66e011a2e"),
  ])
  func `derives a key from a password`(digest: Digest, expected: String) {
    let key = digest.pbkdf2(
      password: Array("password".utf8), salt: Array("salt".utf8), rounds: 2, length: 20)
    #expect(digits(of: key) == expected)
  }

  /// OpenSSL refuses a count of zero, which an imported hash may have.
  @Test func `derives with one round at least`() {
    let keys = [0, 1].map {
      Digest.sha256.pbkdf2(password: [1], salt: [2], rounds: $0, length: 16)
    }
    #expect(keys[0] == keys[1])
  }

  @Test(arguments: Digest.allCases) func `of nothing has its length`(digest: Digest) {
    #expect(digest.hash([]).count == digest.hmac([], key: []).count)
  }

  private func digits(of bytes: [UInt8]) -> String {
    String(decoding: bytes.hexDigits, as: UTF8.self)
  }
}

@Suite struct `A comparison in constant time` {
  @Test(arguments: [
    ("", "", true), ("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false),
    ("ab", "abc", false), ("é", "e\u{301}", false),
  ])
  func `compares bytes`(left: String, right: String, isEqual: Bool) {
    #expect(ConstantTime.equal(left, right) == isEqual)
  }
}
