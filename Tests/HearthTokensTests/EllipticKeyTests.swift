import HearthTestSupport
import HearthTime
import HearthTokens
import HearthWire
import Testing

@Suite struct `Keys of ES256` {
  private static let claims = JSONObject(["sub": "a"])

  @Test func `sign with two numbers of 32 bytes`() throws {
    let key = try SigningKey.generate(
      name: "a", algorithm: .es256, now: Timestamp(seconds: 0))
    #expect(key.jwk["kty"] == "EC" && key.jwk["crv"] == "P-256" && key.jwk["alg"] == "ES256")
    // One number in 256 begins with a zero.
    for _ in 1...400 {
      let jwt = try #require(JWT(try JWT.signed(Self.claims, by: key)))
      try #require(jwt.algorithm == "ES256" && jwt.signature.count == 64)
      try #require(key.verify(jwt.signature, of: jwt.signingInput))
    }
  }

  @Test func `refuse other signatures`() throws {
    let key = try SigningKey.generate(
      name: "a", algorithm: .es256, now: Timestamp(seconds: 0))
    let other = try SigningKey.generate(
      name: "a", algorithm: .es256, now: Timestamp(seconds: 0))
    let jwt = try #require(JWT(try JWT.signed(Self.claims, by: key)))
    #expect(!other.verify(jwt.signature, of: jwt.signingInput))
    #expect(!key.verify(jwt.signature, of: jwt.signingInput + [0]))
    for signature in [
      [], Array(jwt.signature.dropLast()), jwt.signature + [0],
      [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64),
    ] {
      #expect(!key.verify(signature, of: jwt.signingInput))
    }
  }

  @Test func `count for tokens that name their algorithm`() async throws {
    let keys = ProviderKeys(clock: ManualClock())
    let key = try await keys.keys(of: "oidc", algorithm: .es256).current()
    let token = try JWT.signed(Self.claims, by: key)
    #expect(keys.verified(token, of: "oidc") != nil)
    #expect(keys.verified(token, of: "google") == nil)
    let parts = token.split(separator: ".")
    let header = JSON.members(["alg": "RS256", "kid": .string(key.id)])
    let renamed = "\(Base64.encodeURL(header.bytes)).\(parts[1]).\(parts[2])"
    #expect(keys.verified(renamed, of: "oidc") == nil)
    #expect(keys.known(of: "oidc").map(\.algorithm) == [.es256])
  }
}
