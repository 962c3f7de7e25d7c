import HearthServer
import HearthServiceAccounts
import HearthSettings
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthTransport
import HearthWire
import NIOHTTP1
import Testing

@Suite struct `Tokens of service accounts` {
  @Test(arguments: ["/oauth2.googleapis.com/token", "/www.googleapis.com/oauth2/v4/token"])
  func `an assertion gets an access token`(_ path: String) async throws {
    try await GoogleServer.open { google in
      let reply = try await google.grant(google.assertion(), at: path)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply["expires_in"] == 3599 && reply["token_type"] == "Bearer")
      #expect(reply.headers["cache-control"].first == "no-store")
      let token = try #require(reply["access_token"]?.string)
      #expect(token.hasPrefix("ya29."))
      #expect(try await google.accounts(token).status == 200)
      #expect(try await google.document(token).status == 404)
    }
  }

  @Test func `an address of its own counts as audience`() async throws {
    try await GoogleServer.open { google in
      let own = "http://127.0.0.1:\(google.server.addresses.authPort)\(GoogleServer.tokenPath)"
      let reply = try await google.grant(google.assertion(["aud": .string(own)]))
      #expect(reply.status == 200, "\(reply.text)")
    }
  }

  @Test func `an assertion that is not ours is refused with the reason`() async throws {
    try await GoogleServer.open { google in
      let other = try ServiceAccount.generate(project: "demo-x", now: google.server.clock.now)
      let now = google.server.clock.now.seconds
      let refused: [(String, String, String)] = [
        (try google.assertion(by: other), "invalid_grant", "Hearth did not issue"),
        ("a.b.c", "invalid_grant", "Invalid JWT"), ("", "invalid_grant", "Invalid JWT"),
        (String(try google.assertion().dropLast(4)) + "AAAA", "invalid_grant", "Signature"),
        (JWT.unsigned(JSONObject(["iss": "x"])), "invalid_grant", "RS256"),
        (try google.assertion(["aud": "https://evil.example/token"]), "invalid_grant", "aud"),
        (try google.assertion(["iss": "x@y"]), "invalid_grant", "iss"),
        (
          try google.assertion(["iat": .int(now - 7200), "exp": .int(now - 3600)]),
          "invalid_grant", "expired"
        ),
        (try google.assertion(["exp": .int(now + 7200)]), "invalid_grant", "short-lived"),
        (try google.assertion(["sub": "user@example.com"]), "unauthorized_client", "itself"),
        (try google.assertion(["scope": nil]), "invalid_request", "scope"),
      ]
      for (assertion, code, word) in refused {
        let reply = try await google.grant(assertion)
        #expect(reply.status == 400 && reply["error"]?.string == code, "\(reply.text)")
        #expect(reply["error_description"]?.string?.contains(word) == true, "\(reply.text)")
      }
    }
  }

  @Test func `with the switch a foreign key counts`() async throws {
    try await GoogleServer.open {
      $0.acceptsAnyServiceAccount = true
    } body: { google in
      let other = try ServiceAccount.generate(project: "demo-x", now: google.server.clock.now)
      let assertion = try google.assertion(["iss": .string(other.email)], by: other)
      #expect(try await google.grant(assertion).status == 200)
    }
  }

  @Test func `target_audience gets an ID token that the published keys verify`() async throws {
    try await GoogleServer.open { google in
      let reply = try await google.grant(
        google.assertion(["scope": nil, "target_audience": "https://run.example"]))
      let token = try #require(reply["id_token"]?.string.flatMap { JWT($0) })
      #expect(token.claims["aud"] == "https://run.example")
      #expect(token.claims["email"]?.string == google.account.email)
      let keys = try await google.server.auth.get("/www.googleapis.com/oauth2/v3/certs")
      let jwk = try #require(keys["keys"]?.array?.first)
      #expect(jwk["kid"]?.string == token.keyID)
      let key = try #require(PublicKey(jwk: jwk))
      #expect(key.verify(token.signature, of: token.signingInput))
      // It is not a token of Firebase Auth, and not one of the account's own.
      let own = try await google.grant(
        google.assertion(["scope": nil, "target_audience": "demo-hearth"]))
      let misused = try #require(own["id_token"]?.string)
      #expect(try await google.document(misused).status == 401)
      #expect(try await google.accounts(misused).status == 401)
    }
  }

  @Test func `only our own refresh token counts`() async throws {
    try await GoogleServer.open { google in
      let fields = [("grant_type", "refresh_token"), ("client_id", "a"), ("client_secret", "b")]
      let real = try await google.form(
        GoogleServer.tokenPath, fields: fields + [("refresh_token", "1//0real-secret")])
      #expect(real.status == 400 && real["error"] == "invalid_grant")
      let own = try await google.form(
        GoogleServer.tokenPath, fields: fields + [("refresh_token", google.account.refreshToken())])
      #expect(try await google.accounts(own["access_token"]?.string ?? "").status == 200)
    }
  }

  @Test func `tokeninfo and revoke`() async throws {
    try await GoogleServer.open { google in
      let token = try await google.accessToken()
      let path = "/oauth2.googleapis.com/tokeninfo?access_token=\(token)"
      let info = try await google.server.auth.get(path)
      #expect(info["email"]?.string == google.account.email && info["expires_in"] == "3600")
      let revoked = try await google.form(
        "/oauth2.googleapis.com/revoke", fields: [("token", token)])
      #expect(revoked.status == 200)
      #expect(try await google.server.auth.get(path)["error"] == "invalid_token")
      #expect(try await google.accounts(token).status == 401)
    }
  }

  @Test(arguments: [
    ([("grant_type", "password")], "unsupported_grant_type"), ([("a", "b")], "invalid_request"),
  ])
  func `other grants are refused`(_ fields: [(String, String)], _ code: String) async throws {
    try await GoogleServer.open { google in
      let reply = try await google.form(GoogleServer.tokenPath, fields: fields)
      #expect(reply.status == 400 && reply["error"]?.string == code)
    }
  }

  @Test func `pages of other origins get no token`() async throws {
    try await GoogleServer.open { google in
      let origin = [("Origin", "https://evil.example")]
      let reply = try await google.grant(google.assertion(), headers: origin)
      #expect(reply.status == 403 && reply["access_token"] == nil)
    }
  }

  @Test func `nothing of a grant is kept in the request log`() async throws {
    try await GoogleServer.open { google in
      let assertion = try google.assertion()
      let token = try await google.grant(assertion)["access_token"]?.string ?? "?"
      _ = try await google.accounts("ya29.real-token")
      let log = try await google.server.emulator("GET", path: "requests")
      #expect(log.text.contains("google.oauth2.token"))
      let entries = log["requests"]?.array ?? []
      for entry in entries {
        let id = entry["id"]?.string ?? entry["id"]?.integer.map { "\($0)" } ?? ""
        let detail = try await google.server.emulator("GET", path: "requests/\(id)")
        for secret in [assertion, token, "real-token"] {
          #expect(!detail.text.contains(secret), "\(detail.text)")
        }
      }
      #expect(!entries.isEmpty)
    }
  }

  // MARK: The exchange

  private func exchange(
    _ google: GoogleServer, subject: String
  ) async throws -> TestServer.Reply {
    try await google.form(
      "/sts.googleapis.com/v1/token",
      fields: [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("audience", "//iam.googleapis.com/x"), ("scope", "s"), ("subject_token", subject),
        ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:jwt"),
      ])
  }

  @Test func `a subject that can be verified is exchanged`() async throws {
    try await GoogleServer.open { google in
      let user = try await google.server.accounts("signUp", body: ["returnSecureToken": true])
      let reply = try await exchange(google, subject: user["idToken"]?.string ?? "")
      #expect(reply["issued_token_type"] == "urn:ietf:params:oauth:token-type:access_token")
      #expect(try await google.accounts(reply["access_token"]?.string ?? "").status == 200)
      let other = try ServiceAccount.generate(project: "demo-x", now: google.server.clock.now)
      let foreign = try await exchange(google, subject: google.assertion(by: other))
      #expect(foreign.status == 400 && foreign["error"] == "invalid_grant", "\(foreign.text)")
    }
  }
}
