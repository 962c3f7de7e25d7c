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

@Suite struct `Administrators as Google` {
  private static let auth = "identitytoolkit.googleapis.com"
  private static let firestore = "firestore.googleapis.com"

  @Test func `a token that the account signs by itself counts for its service`() async throws {
    try await GoogleServer.open { google in
      #expect(try await google.accounts(google.selfSigned(for: Self.auth)).status == 200)
      #expect(try await google.document(google.selfSigned(for: Self.firestore)).status == 404)
      let scoped = try google.selfSigned(
        for: Self.firestore, ["aud": nil, "scope": "https://www.googleapis.com/auth/datastore"])
      #expect(try await google.document(scoped).status == 404)
      #expect(try await google.accounts(google.selfSigned(for: Self.firestore)).status == 401)
      #expect(try await google.document(google.selfSigned(for: Self.auth)).status == 401)
    }
  }

  @Test func `what is tampered, expired or foreign is refused`() async throws {
    try await GoogleServer.open { google in
      let other = try ServiceAccount.generate(project: "demo-x", now: google.server.clock.now)
      let now = google.server.clock.now.seconds
      for service in [Self.auth, Self.firestore] {
        let good = try google.selfSigned(for: service)
        let tokens = [
          String(good.dropLast(4)) + "AAAA",
          try google.selfSigned(for: service, by: other),
          try google.selfSigned(for: service, ["sub": "x@y"]),
          try google.selfSigned(for: service, ["iss": "x@y", "sub": "x@y"]),
          try google.selfSigned(for: service, ["aud": "https://evil.example/"]),
          try google.selfSigned(for: service, ["aud": .string("https://\(service).evil.example/")]),
          try google.selfSigned(
            for: service, ["iat": .int(now - 7200), "exp": .int(now - 3600)]),
          try google.selfSigned(for: service, ["exp": .int(now + 7200)]),
          try JWT.signed(
            JSONObject(["sub": "x"]), by: google.account.key, keyID: "another"),
          JWT.unsigned(JSONObject(["iss": "x", "sub": "x", "aud": "demo-hearth"])),
          "owner", "OWNER", "ya29.unknown",
        ]
        for token in tokens {
          let reply =
            service == Self.auth
            ? try await google.accounts(token) : try await google.document(token)
          #expect(reply.status == 401, "\(token): \(reply.text)")
        }
      }
      let said = google.server.log.lines.filter { $0.contains("was refused") }
      #expect(!said.isEmpty && !said.contains { $0.contains("{\"credential\"") })
      #expect(!google.server.log.lines.contains { $0.contains("ya29.unknown") })
    }
  }

  @Test func `the log says what a refused token of a user is`() async throws {
    try await GoogleServer.open { google in
      let user = try await google.server.accounts("signUp", body: ["returnSecureToken": true])
      let token = user["idToken"]?.string ?? ""
      #expect(try await google.document(String(token.dropLast(4)) + "AAAA").status == 401)
      #expect(try await google.accounts(token).status == 401)
      let said = google.server.log.lines.filter { $0.contains("was refused") }
      #expect(said.count >= 2 && said.allSatisfy { $0.contains("the ID token or session cookie") })
      #expect(!said.contains { $0.contains("--accept-any-service-account") })
    }
  }

  @Test func `an access token expires by the project's clock`() async throws {
    try await GoogleServer.open { google in
      let token = try await google.accessToken()
      google.server.clock.advance(by: .seconds(3599))
      #expect(try await google.accounts(token).status == 200)
      google.server.clock.advance(by: .seconds(1))
      #expect(try await google.accounts(token).status == 401)
      #expect(try await google.document(token).status == 401)
    }
  }

  @Test func `users' ID tokens count, and unsigned ones do not`() async throws {
    try await GoogleServer.open { google in
      let user = try await google.server.accounts("signUp", body: ["returnSecureToken": true])
      #expect(try await google.document(user["idToken"]?.string).status == 404)
      #expect(try await google.document(nil).status == 404)
    }
  }

  @Test func `the console's port takes the console`() async throws {
    try await GoogleServer.open { google in
      let port = google.server.addresses.consolePort
      let (owner, unknown) = (
        try await google.accounts("owner", port: port),
        try await google.accounts("ya29.unknown", port: port)
      )
      #expect(owner.status == 200 && unknown.status == 401)
    }
  }

  @Test func `the console's port takes nobody else's pages`() async throws {
    try await GoogleServer.open { google in
      let port = google.server.addresses.consolePort
      let document = "/v1/projects/demo-hearth/databases/(default)/documents/a/b"
      for (headers, isTaken) in [
        ([("Origin", "http://evil.example")], false), ([("Origin", "null")], false),
        ([("Origin", "http://localhost\\.evil.example")], false),
        // A page whose name leads here.
        ([("Host", "evil.example"), ("Origin", "http://evil.example")], false),
        ([("Origin", "http://127.0.0.1:\(port)")], true),
      ] as [([(String, String)], Bool)] {
        let accounts = try await google.accounts("owner", port: port, headers: headers)
        #expect(accounts.status == (isTaken ? 200 : 401), "\(headers)")
        let reply = try await google.server.send(
          "GET", path: document, port: port, headers: [("Authorization", "Bearer owner")] + headers)
        #expect(reply.status == (isTaken ? 404 : 401), "\(headers)")
      }
    }
  }

  @Test func `a session cookie is no ID token`() async throws {
    try await GoogleServer.open { google in
      let user = try await google.server.accounts("signUp", body: ["returnSecureToken": true])
      let made = try await google.server.send(
        "POST", path: "/identitytoolkit.googleapis.com/v1/projects/demo-hearth:createSessionCookie",
        body: JSON.members(["idToken": user["idToken"] ?? ""]).text,
        headers: [
          ("Authorization", "Bearer \(try await google.accessToken())"),
          ("Content-Type", "application/json"),
        ])
      let cookie = try #require(made["sessionCookie"]?.string, "\(made.text)")
      let found = try await google.server.accounts("lookup", body: ["idToken": .string(cookie)])
      #expect(found.message == "INVALID_ID_TOKEN")
      #expect(try await google.document(cookie).status == 401)
    }
  }

  @Test func `outside of the mode emulators' tokens count, and signed ones too`() async throws {
    try await GoogleServer.open {
      $0.asGoogle = false
    } body: { google in
      for token in ["owner", "ya29.any", try google.selfSigned(for: Self.auth)] {
        #expect(try await google.accounts(token).status == 200, "\(token)")
      }
      for token in ["owner", "ya29.any", try google.selfSigned(for: Self.firestore)] {
        #expect(try await google.document(token).status == 404, "\(token)")
      }
      #expect(try await google.accounts(google.selfSigned(for: Self.firestore)).status == 401)
    }
  }

  @Test func `a server without an account refuses assertions`() async throws {
    try await TestServer.open { server in
      let other = try ServiceAccount.generate(project: "demo-x", now: server.clock.now)
      let google = GoogleServer(server: server, account: other)
      let reply = try await google.grant(google.assertion())
      #expect(reply.status == 400 && reply.text.contains("--service-account"), "\(reply.text)")
      #expect(try await google.accounts(google.selfSigned(for: Self.auth)).status == 401)
    }
  }

  // MARK: Custom tokens

  private func customToken(
    _ google: GoogleServer, by signer: ServiceAccount? = nil,
    changes: KeyValuePairs<String, JSON?> = [:]
  ) throws -> JSON {
    let audience =
      "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    var all: [(String, JSON?)] = [("aud", .string(audience)), ("uid", "ann")]
    for (name, value) in changes { all.append((name, value)) }
    var claims = JSONObject([
      "iss": .string(google.account.email), "sub": .string(google.account.email),
      "iat": .int(google.server.clock.now.seconds),
      "exp": .int(google.server.clock.now.seconds + 3600),
    ])
    for (name, value) in all { claims[name] = value }
    return .string(try (signer ?? google.account).sign(claims))
  }

  @Test func `custom tokens are verified`() async throws {
    try await GoogleServer.open { google in
      let other = try ServiceAccount.generate(project: "demo-x", now: google.server.clock.now)
      func signIn(_ token: JSON) async throws -> TestServer.Reply {
        try await google.server.accounts(
          "signInWithCustomToken", body: ["token": token, "returnSecureToken": true])
      }
      let good = try await signIn(customToken(google))
      #expect(good["idToken"]?.string != nil, "\(good.text)")
      let foreign = try await signIn(customToken(google, by: other))
      #expect(foreign.message?.contains("Hearth did not issue") == true, "\(foreign.text)")
      for bad in [
        try customToken(google, changes: ["sub": "x@y"]),
        try customToken(google, changes: ["aud": "other"]),
        .string(#"{"uid":"ann"}"#), .string(JWT.unsigned(JSONObject(["uid": "ann"]))),
      ] {
        let reply = try await signIn(bad)
        #expect(reply.status == 400, "\(reply.text)")
        #expect(reply.message?.hasPrefix("INVALID_CUSTOM_TOKEN") == true, "\(reply.text)")
      }
      #expect(!google.server.log.lines.contains { $0.contains("IS NOT SECURE") })
    }
  }
}
