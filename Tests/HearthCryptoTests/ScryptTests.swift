import HearthCrypto
import Testing

@Suite struct `The key derivation scrypt` {
  /// The second example of RFC 7914.
  @Test func `gives the example of the standard`() throws {
    let key = try #require(
      Scrypt.derive(
        password: Array("password".utf8), salt: Array("NaCl".utf8), n: 1024, r: 8, p: 16,
        length: 64))
    #expect(
      String(decoding: key.hexDigits, as: UTF8.self)
        == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
  }

  @Test(
    arguments: [
      (n: 0, r: 8, p: 1), (1, 8, 1), (3, 8, 1), (1000, 8, 1), (1024, 0, 1), (1024, 8, 0),
      // OpenSSL wants N below 2 to the power of 16 r.
      (1 << 16, 1, 1),
      // Too long, or more than 256 MiB.
      (1 << 20, 8, 1), (1 << 32, 1, 1), (1024, 1 << 15, 1 << 15),
    ] as [(n: UInt64, r: UInt64, p: UInt64)])
  func `refuses parameters out of bounds`(n: UInt64, r: UInt64, p: UInt64) {
    #expect(!Scrypt.accepts(n: n, r: r, p: p))
  }

  /// What it accepts, OpenSSL accepts too.
  @Test(
    arguments: [(n: 2, r: 1, p: 1), (1 << 15, 1, 1), (16, 8, 4), (4096, 4, 2)]
      as [(n: UInt64, r: UInt64, p: UInt64)])
  func `derives with parameters within bounds`(n: UInt64, r: UInt64, p: UInt64) {
    #expect(Scrypt.accepts(n: n, r: r, p: p))
    #expect(Scrypt.derive(password: [], salt: [], n: n, r: r, p: p, length: 32)?.count == 32)
  }
}

@Suite struct `AES in counter mode` {
  /// OpenSSL's own command gives the same.
  @Test func `encrypts any number of bytes`() {
    let encrypted = AES.ctr256(Array("hello, sixteen bytes and more".utf8), key: Array(0..<32))
    #expect(
      encrypted.map { String(decoding: $0.hexDigits, as: UTF8.self) }
        == "9af56cda4565bfa3c08bee0fb84057e2892913dd6ad8f181869bf4432d")
  }

  @Test func `decrypts what it has encrypted`() throws {
    let key = Randomness().bytes(32)
    let text = Randomness().bytes(1000)
    #expect(AES.ctr256(try #require(AES.ctr256(text, key: key)), key: key) == text)
  }

  @Test(arguments: [0, 16, 31, 33]) func `needs a key of 32 bytes`(count: Int) {
    #expect(AES.ctr256([1], key: [UInt8](repeating: 0, count: count)) == nil)
  }
}
