import Foundation
import HearthClient
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

/// A back end that mails a short code and signs out everywhere.
@Suite struct `A back end with codes` {
  private static let email = "ana@example.com"
  private static let old = "old-password"

  @Test func `resets a password`() async throws {
    try await Flow.open(dialect: "swiftly-feedback") { flow in
      let app = flow.auth.below("/api/v1/auth")
      let session = try await flow.signedInUser(
        Self.email, password: Self.old, displayName: "Ana")
      let login = try await app.logIn(Self.email, password: Self.old)
      #expect(login.status == 200 && login.members == ["token", "user"])
      let bearer = [("Authorization", "Bearer \(login["token"]?.string ?? "")")]
      #expect(try await app.get("/me", headers: bearer)["email"] == .string(Self.email))

      let told = try await app.post("/forgot-password", body: ["email": .string(Self.email)])
      #expect(told.status == 200 && told.members == ["message"])
      let stranger = try await app.post("/forgot-password", body: ["email": "no@example.com"])
      #expect(stranger.text == told.text)
      let malformed = try await app.post("/forgot-password", body: ["email": "no address"])
      #expect(malformed.status == 400 && malformed["error"] == true)
      #expect(malformed.members == ["error", "reason"])
      let mail = try await flow.hearth.waitForMail(to: Self.email)
      let code = try #require(mail.code)
      #expect(mail.subject == "Reset your Swiftly Feedback password")
      #expect(code.count == 8 && code.allSatisfy("ABCDEFGHJKMNPQRSTUVWXYZ23456789".contains))
      #expect(mail.text.contains(code) && mail.text.contains("1 hour"))
      #expect(try await flow.hearth.mails().count == 1)

      func reset(_ code: String, password: String) async throws -> TestClient.Reply {
        try await app.post(
          "/reset-password", body: ["code": .string(code), "new_password": .string(password)])
      }
      #expect(try await reset(code, password: "7 chars").status == 400)
      #expect(try await reset("ZZZZZZZZ", password: "new-password").status == 404)
      let done = try await reset(code.lowercased(), password: "new-password")
      #expect(done.status == 200 && done.members == ["message"])
      #expect(try await reset(code, password: "new-password").status == 400)

      #expect(try await app.get("/me", headers: bearer).status == 401)
      #expect(try await app.logIn(Self.email, password: Self.old).status == 401)
      #expect(try await app.logIn(Self.email, password: "new-password").status == 200)
      try await flow.expectReset(
        of: Self.email, to: "new-password", from: Self.old, ending: session)
    }
  }

  /// The hash may take long on purpose, so that it is checked between two transactions.
  @Test func `takes the password of an account that was hashed elsewhere`() async throws {
    try await Flow.open(dialect: "swiftly-feedback") { flow in
      let app = flow.auth.below("/api/v1/auth")
      // SHA-1 of "salt" and "secret12".
      let imported = try await flow.server.admin(
        "/accounts:batchCreate",
        body: [
          "hashAlgorithm": "SHA1",
          "users": [
            [
              "localId": "ana", "email": .string(Self.email), "salt": "c2FsdA==",
              "passwordHash": "1pGtPZ9QnNb5ZS2qGMcDHzP2mxg=",
            ]
          ],
        ])
      #expect(imported["error"] == [])
      #expect(try await app.logIn(Self.email, password: "secret13").status == 401)
      for _ in 0..<2 {
        let login = try await app.logIn(Self.email, password: "secret12")
        #expect(login.status == 200 && login.members == ["token", "user"])
      }
      #expect(try await app.logIn(Self.email, password: "secret13").status == 401)
    }
  }

  @Test func `forgets older codes, and refuses late ones`() async throws {
    try await Flow.open(dialect: "swiftly-feedback") { flow in
      let app = flow.auth.below("/api/v1/auth")
      _ = try await flow.signedInUser(Self.email, password: Self.old)
      var codes: [String] = []
      for _ in 0..<2 {
        _ = try await app.post("/forgot-password", body: ["email": .string(Self.email)])
        codes.append(try #require(try await flow.hearth.latestMail(to: Self.email)?.code))
      }
      func status(_ code: String) async throws -> Int {
        try await app.post(
          "/reset-password", body: ["code": .string(code), "new_password": "new-password"]
        ).status
      }
      #expect(try await status(codes[0]) == 404)
      flow.clock.advance(by: .seconds(3601))
      #expect(try await status(codes[1]) == 410)
      #expect(try await app.logIn(Self.email, password: Self.old).status == 200)
    }
  }
}

/// A back end that mails a link, counts attempts, and still knows its older apps.
@Suite struct `A back end with attempts` {
  private static let email = "ana@example.com"
  private static let old = "old-password"
  private static let current = [("User-Agent", "Jabrutouch/2.0 (iPhone; iOS 18.1)")]
  private static let invalid: JSON = [
    "success": false, "error": "Token is invalid or has expired.",
  ]

  private static func token(_ flow: Flow) async throws -> String {
    let asked = try await flow.auth.post(
      "/api/reset_password/", body: ["email": .string(email)], headers: current)
    #expect(asked.status == 200 && asked["success"] == true)
    return try #require(try await flow.hearth.latestMail(to: email)?.code)
  }

  private static func confirm(
    _ token: String, password: String, flow: Flow
  ) async throws -> TestClient.Reply {
    try await flow.auth.post(
      "/api/confirm_reset_password/",
      body: ["token": .string(token), "new_password": .string(password)])
  }

  @Test func `resets a password`() async throws {
    try await Flow.open(dialect: "jabrutouch") { flow in
      let app = flow.auth.below("/api")
      let session = try await flow.signedInUser(Self.email, password: Self.old)
      let login = try await app.logIn(Self.email, password: Self.old, at: "/login/")
      let header = [("Authorization", "Token \(login["token"]?.string ?? "")")]
      #expect(try await app.get("/user/", headers: header).status == 200)
      let token = try await Self.token(flow)
      let mail = try #require(try await flow.hearth.latestMail(to: Self.email))
      #expect(token.utf8.count <= 64)
      #expect(mail.link == "https://jabrutouch.page.link/?type=reset_password&token=\(token)")
      let done = try await Self.confirm(token, password: "new-password", flow: flow)
      #expect(done.status == 200 && done["success"] == true)
      let again = try await Self.confirm(token, password: "new-password", flow: flow)
      #expect(again.status == 400 && again.json == Self.invalid)
      let notice = try #require(try await flow.hearth.latestMail(to: Self.email))
      #expect(notice.subject.contains("changed") && notice.code == nil)

      #expect(try await app.get("/user/", headers: header).status == 401)
      #expect(try await app.logIn(Self.email, password: Self.old, at: "/login/").status == 401)
      #expect(
        try await app.logIn(Self.email, password: "new-password", at: "/login/").status == 200)
      try await flow.expectReset(
        of: Self.email, to: "new-password", from: Self.old, ending: session)
    }
  }

  @Test func `lets a token die after five attempts, or an hour`() async throws {
    try await Flow.open(dialect: "jabrutouch") { flow in
      _ = try await flow.signedInUser(Self.email, password: Self.old)
      let token = try await Self.token(flow)
      for _ in 0..<5 {
        let refusal = try await Self.confirm(token, password: "short", flow: flow)
        #expect(refusal.status == 400 && refusal.json != Self.invalid)
      }
      #expect(
        try await Self.confirm(token, password: "new-password", flow: flow).json == Self.invalid)
      flow.clock.advance(by: .seconds(120))
      let next = try await Self.token(flow)
      flow.clock.advance(by: .seconds(7200))
      #expect(
        try await Self.confirm(next, password: "new-password", flow: flow).json == Self.invalid)
      _ = try await flow.hearth.signIn(email: Self.email, password: Self.old)
    }
  }

  @Test func `writes three mails an hour, and one a minute`() async throws {
    try await Flow.open(dialect: "jabrutouch") { flow in
      _ = try await flow.signedInUser(Self.email, password: Self.old)
      var counts: [Int] = []
      for pause in [30, 31, 61, 61, 3661, 61] {
        _ = try await Self.token(flow)
        counts.append(try await flow.hearth.mails(to: Self.email).count)
        flow.clock.advance(by: .seconds(pause))
      }
      #expect(counts == [1, 1, 2, 3, 3, 4])
    }
  }

  @Test func `mails a new password to older apps`() async throws {
    try await Flow.open(dialect: "jabrutouch") { flow in
      let session = try await flow.signedInUser(Self.email, password: Self.old)
      let told = try await flow.auth.post(
        "/api/reset_password/", body: ["email": .string(Self.email)],
        headers: [("User-Agent", "Jabrutouch/1.9")])
      #expect(told["user_exist_status"] == true && told.members.count == 2)
      let mail = try await flow.hearth.waitForMail(to: Self.email)
      let password = try #require(mail.code)
      #expect(mail.text.contains(password))
      try await flow.expectReset(
        of: Self.email, to: password, from: Self.old, ending: session)
    }
  }
}

/// A back end whose tokens can be looked at before they are used.
@Suite struct `A back end with links` {
  private static let email = "ana@example.com"
  private static let old = "Old-Passw0rd"

  @Test func `resets a password`() async throws {
    try await Flow.open(dialect: "artitec") { flow in
      let app = flow.auth.below("/v1/auth")
      let session = try await flow.signedInUser(Self.email, password: Self.old)
      let login = try await app.logIn(Self.email, password: Self.old)
      let bearer = [("Authorization", "Bearer \(login["access_token"]?.string ?? "")")]
      #expect(try await app.get("/me", headers: bearer).status == 200)
      let told = try await app.post("/forgot-password", body: ["email": .string(Self.email)])
      #expect(told.status == 200 && told.members == ["message"])
      let mail = try await flow.hearth.waitForMail(to: Self.email)
      let token = try #require(mail.code)
      #expect(mail.link == "artitec://reset-password?token=\(token)")
      let valid = try await app.post("/verify-reset-token", body: ["token": .string(token)])
      #expect(valid.members == ["expires_at", "message", "user_email", "valid"])
      #expect(valid["valid"] == true && valid["user_email"] == .string(Self.email))
      let nonsense = try await app.post("/verify-reset-token", body: ["token": "nonsense"])
      #expect(nonsense["valid"] == false && nonsense.members == ["message", "valid"])

      func reset(_ password: String) async throws -> TestClient.Reply {
        try await app.post(
          "/reset-password", body: ["token": .string(token), "new_password": .string(password)])
      }
      for weak in ["Sh0rt", "passw0rd", "PASSW0RD", "Password"] {
        let refusal = try await reset(weak)
        #expect(refusal.status == 400 && refusal["detail"]?.string?.contains("Password") == true)
      }
      let done = try await reset("New-Passw0rd")
      #expect(done.status == 200 && done["user_id"] == .string(session.localId))
      #expect(try await reset("New-Passw0rd").status == 400)

      #expect(try await app.get("/me", headers: bearer).status == 401)
      let refreshed = try await app.post(
        "/refresh", body: ["refresh_token": login["refresh_token"] ?? .null])
      #expect(refreshed.status == 401)
      #expect(try await app.logIn(Self.email, password: Self.old).status == 401)
      #expect(try await app.logIn(Self.email, password: "New-Passw0rd").status == 200)
      try await flow.expectReset(
        of: Self.email, to: "New-Passw0rd", from: Self.old, ending: session)
    }
  }

  @Test func `links browsers to its website, for an hour`() async throws {
    try await Flow.open(dialect: "artitec") { flow in
      let app = flow.auth.below("/v1/auth")
      _ = try await flow.signedInUser(Self.email, password: Self.old)
      _ = try await app.post(
        "/forgot-password", body: ["email": .string(Self.email)],
        headers: [("User-Agent", "Mozilla/5.0 (Macintosh)")])
      let mail = try await flow.hearth.waitForMail(to: Self.email)
      let token = try #require(mail.code)
      #expect(mail.link == "https://artitec.com/reset-password?token=\(token)")
      flow.clock.advance(by: .seconds(3601))
      let late = try await app.post(
        "/reset-password", body: ["token": .string(token), "new_password": "New-Passw0rd"])
      #expect(late.status == 400 && late["detail"]?.string?.contains("expired") == true)
      let valid = try await app.post("/verify-reset-token", body: ["token": .string(token)])
      #expect(valid["valid"] == false)
      #expect(try await app.logIn(Self.email, password: Self.old).status == 200)
    }
  }
}

extension TestClient {
  fileprivate func logIn(
    _ email: String, password: String, at path: String = "/login"
  ) async throws -> Reply {
    try await post(path, body: ["email": .string(email), "password": .string(password)])
  }
}
