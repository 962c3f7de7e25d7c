import HearthCrypto
import Testing

@Suite struct `The password hash Argon2` {
  /// The examples of RFC 9106.
  @Test(arguments: [
    (Argon2.Kind.d, "512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb"),
    (.i, "c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8"),
    (.id, "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"),
  ])
  func `gives the examples of the standard`(kind: Argon2.Kind, expected: String) throws {
    let argon2 = try #require(Argon2(kind: kind, memory: 32, iterations: 3, parallelism: 4))
    let derived = argon2.derive(
      password: [UInt8](repeating: 1, count: 32), salt: [UInt8](repeating: 2, count: 16),
      secret: [UInt8](repeating: 3, count: 8), data: [UInt8](repeating: 4, count: 12), length: 32)
    #expect(String(decoding: derived.hexDigits, as: UTF8.self) == expected)
  }

  @Test(arguments: [1, 16])
  func `has bounds`(lanes: Int) {
    let memory = 8 * lanes
    #expect(Argon2(kind: .id, memory: memory, iterations: 16, parallelism: lanes) != nil)
    #expect(Argon2(kind: .id, memory: memory - 1, iterations: 1, parallelism: lanes) == nil)
    #expect(Argon2(kind: .id, memory: 32_769, iterations: 1, parallelism: lanes) == nil)
    #expect(Argon2(kind: .id, memory: memory, iterations: 17, parallelism: lanes) == nil)
    #expect(Argon2(kind: .id, memory: memory, iterations: 1, parallelism: 17) == nil)
  }
}
