import Foundation
import HearthCrypto
import HearthOperations
import HearthServer
import HearthServiceAccounts
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthWire
import Testing

@testable import HearthSettings

/// ID tokens of identity providers, where the keys of their issuers are configured.
@Suite struct `Keys of identity providers` {
  private static let issuer = "https://idp.example.com"

  /// Its key serves as the provider's.
  private static let provider = Result {
    try ServiceAccount.generate(project: "idp", now: ManualClock().now)
  }

  private static func claims(_ changes: KeyValuePairs<String, JSON?> = [:]) -> JSONObject {
    let now = ManualClock().now.seconds
    var claims = JSONObject([
      "iss": .string(issuer), "aud": "client", "sub": "1", "email": "ann@example.com",
      "iat": .int(now), "exp": .int(now + 600),
    ])
    for (name, value) in changes { claims[name] = value }
    return claims
  }

  private static func post(_ token: String, nonce: String? = nil) -> JSON {
    var fields = [
      FormFields.Pair(name: "providerId", value: "oidc.a"),
      FormFields.Pair(name: "id_token", value: token),
    ]
    if let nonce { fields.append(FormFields.Pair(name: "nonce", value: nonce)) }
    return ["requestUri": "http://localhost", "postBody": .string(FormFields(fields).text)]
  }

  private func open(
    keys: String, _ body: @escaping @Sendable (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.open {
      $0.idpKeys = [keys]
    } body: { server in
      try await server.setSwitches(["strictProviders": true])
      _ = try await server.adminV2(
        "POST", path: "/oauthIdpConfigs?oauthIdpConfigId=oidc.a",
        body: ["clientId": "client", "issuer": .string(Self.issuer)])
      try await body(server)
    }
  }

  /// With the keys in a file.
  private func withKeys(
    _ body: @escaping @Sendable (TestServer) async throws -> Void
  ) async throws {
    let provider = try Self.provider.get()
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/jwks.json"
      let jwks = JSON.members(["keys": [provider.jwk]])
      try jwks.text.write(toFile: path, atomically: true, encoding: .utf8)
      try await open(keys: "\(Self.issuer)=\(path)", body)
    }
  }

  @Test func `an ID token of the provider's signs in`() async throws {
    let provider = try Self.provider.get()
    try await withKeys { server in
      let token = try provider.sign(Self.claims())
      let reply = try await server.accounts("signInWithIdp", body: Self.post(token))
      #expect(reply["email"] == "ann@example.com", "\(reply.text)")
    }
  }

  @Test func `an ID token that is not good is refused`() async throws {
    let provider = try Self.provider.get()
    let other = try ServiceAccount.generate(project: "x", now: ManualClock().now)
    try await withKeys { server in
      let now = server.clock.now.seconds
      let good = try provider.sign(Self.claims())
      let tokens = [
        String(good.dropLast(4)) + "AAAA", try other.sign(Self.claims()),
        try JWT.signed(Self.claims(), by: other.key, keyID: provider.keyID),
        JWT.unsigned(Self.claims()), #"{"sub":"1"}"#,
        try provider.sign(Self.claims(["iss": "https://other.example"])),
        try provider.sign(Self.claims(["aud": "another"])),
        try provider.sign(Self.claims(["exp": .int(now), "iat": .int(now - 60)])),
        try provider.sign(Self.claims(["iat": .int(now + 301), "exp": .int(now + 900)])),
      ]
      for token in tokens {
        let reply = try await server.accounts("signInWithIdp", body: Self.post(token))
        #expect(reply.status == 400, "\(token): \(reply.text)")
        #expect(reply.message?.hasPrefix("INVALID_IDP_RESPONSE") == true, "\(reply.text)")
      }
    }
  }

  @Test func `the nonce is that of the request`() async throws {
    let provider = try Self.provider.get()
    try await withKeys { server in
      let digest = String(
        decoding: Digest.sha256.hash(Array("raw".utf8)).hexDigits, as: UTF8.self)
      let token = try provider.sign(Self.claims(["nonce": .string(digest)]))
      #expect(
        try await server.accounts("signInWithIdp", body: Self.post(token, nonce: "raw")).status
          == 200)
      for nonce in ["other", nil] {
        let reply = try await server.accounts("signInWithIdp", body: Self.post(token, nonce: nonce))
        #expect(reply.message?.hasPrefix("MISSING_OR_INVALID_NONCE") == true, "\(reply.text)")
      }
      // One that no token asks for is not looked at.
      let plain = try provider.sign(Self.claims())
      #expect(
        try await server.accounts("signInWithIdp", body: Self.post(plain, nonce: "any")).status
          == 200)
    }
  }

  /// An issuer that answers with a discovery document and its keys.
  private struct Issuer: FunctionCaller {
    let issuer: String
    let keys: JSON

    func send(
      _ request: FunctionRequest, within timeout: Duration
    ) async throws(FunctionFailure) -> FunctionReply {
      switch request.url {
      case "http://127.0.0.1:5556/dex/.well-known/openid-configuration":
        let document = JSON.members([
          "issuer": .string(issuer), "jwks_uri": "http://127.0.0.1:5556/dex/keys",
        ])
        return FunctionReply(status: 200, body: document.bytes)
      case "http://127.0.0.1:5556/dex/keys": return FunctionReply(status: 200, body: keys.bytes)
      default: throw .unreachable(reason: "not found")
      }
    }
  }

  @Test(arguments: [("http://127.0.0.1:5556/dex", true), ("https://idp.example.com", false)])
  func `an issuer of this machine is asked for its keys`(
    _ named: String, _ isGood: Bool
  ) async throws {
    let provider = try Self.provider.get()
    let clock = ManualClock()
    let own = "http://127.0.0.1:5556/dex"
    let issuer = Issuer(issuer: named, keys: .members(["keys": [provider.jwk]]))
    let keys = IdpKeys([own: .discovery], clock: clock) { url throws(IdpKeys.Refusal) in
      do throws(FunctionFailure) {
        return try await issuer.send(FunctionRequest("GET", url: url), within: .seconds(1)).body
      } catch {
        throw .unreachable("\(url) does not answer")
      }
    }
    let token = try provider.sign(Self.claims(["iss": .string(own)]))
    do throws(IdpKeys.Refusal) {
      let claims = try await keys.verify(token, at: [clock.now])
      #expect(isGood && claims["sub"] == "1")
    } catch {
      #expect(!isGood, "\(error.description)")
    }
  }

  @Test(arguments: ["https://idp.example.com", "http://127.0.0.1.evil.example", "a=/nowhere"])
  func `keys that are elsewhere end the start`(_ value: String) async throws {
    await #expect(throws: ConfigurationError.self) {
      try await TestServer.open {
        $0.idpKeys = [value]
      } body: { _ in
      }
    }
  }
}
