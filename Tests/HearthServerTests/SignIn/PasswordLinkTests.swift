import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import Testing

/// A password for an account that a provider made.
@Suite struct `A password for one's own address` {
  private static let paths = [
    "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
    "/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser?key=any",
    "/identitytoolkit/v3/relyingparty/signupNewUser?key=any",
  ]

  private func google(_ server: TestServer, email: String) async throws -> TestServer.Reply {
    let claims = JSON.members([
      "sub": "g1", "email": .string(email), "email_verified": true, "name": "Ann",
    ])
    let post = FormFields([
      .init(name: "providerId", value: "google.com"), .init(name: "id_token", value: claims.text),
    ])
    return try await server.accounts(
      "signInWithIdp", body: ["requestUri": "http://localhost", "postBody": .string(post.text)])
  }

  private func body(_ email: String, of session: TestServer.Reply) -> JSON {
    .members([
      "idToken": session["idToken"], "email": .string(email), "password": "secret1",
      "returnSecureToken": true, "clientType": "CLIENT_TYPE_IOS",
    ])
  }

  @Test(arguments: paths, [false, true])
  func `is added, and nothing else changes`(path: String, isProduction: Bool) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }) { server in
      let session = try await google(server, email: "ann@example.com")
      let linked = try await server.post(path, body: body("Ann@Example.com", of: session))
      #expect(linked.status == 200, "\(linked.text)")
      #expect(linked["localId"] == session["localId"] && linked["email"] == "ann@example.com")
      #expect(linked["refreshToken"]?.string != nil)
      let user = try await server.accounts("lookup", body: ["idToken": linked["idToken"] ?? .null])
      let account = user["users"]?.array?.first
      #expect(account?["emailVerified"] == true && account?["displayName"] == "Ann")
      let providers = account?["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string }
      #expect(providers?.sorted() == ["google.com", "password"])
      #expect(try await server.signIn("ann@example.com").json["localId"] == session["localId"])
    }
  }

  @Test func `is refused for somebody else's, and where there is one already`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("bob@example.com")
      let session = try await google(server, email: "ann@example.com")
      let other = try await server.post(Self.paths[0], body: body("bob@example.com", of: session))
      #expect(other.message == "EMAIL_EXISTS")
      let first = try await server.post(Self.paths[0], body: body("ann@example.com", of: session))
      let second = try await server.post(Self.paths[0], body: body("ann@example.com", of: first))
      #expect(second.message == "EMAIL_EXISTS")
      let forged = try await server.accounts(
        "signUp", body: ["idToken": "x", "email": "ann@example.com", "password": "secret1"])
      #expect(forged.message == "EMAIL_EXISTS")
    }
  }
}
