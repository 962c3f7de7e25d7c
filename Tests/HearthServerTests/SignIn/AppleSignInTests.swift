import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import Testing

/// What Apple's devices send beside other clients.
@Suite struct `A client of Apple's` {
  private func apple(
    _ server: TestServer, sub: String = "a1", user: String?
  ) async throws -> TestServer.Reply {
    let claims: JSON = .members([
      "sub": .string(sub), "email": .string("\(sub)@example.com"), "email_verified": true,
    ])
    var fields = [
      FormFields.Pair(name: "providerId", value: "apple.com"),
      FormFields.Pair(name: "id_token", value: claims.text),
    ]
    if let user { fields.append(FormFields.Pair(name: "user", value: user)) }
    return try await server.post(
      "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyAssertion?key=any",
      body: [
        "requestUri": "http://localhost", "postBody": .string(FormFields(fields).text),
        "returnIdpCredential": true, "autoCreate": true,
      ])
  }

  private func account(
    _ server: TestServer, session: TestServer.Reply
  ) async throws -> JSON? {
    let found = try await server.accounts("lookup", body: ["idToken": session["idToken"] ?? .null])
    return found["users"]?.array?.first
  }

  @Test func `says the name once, and the account keeps it`() async throws {
    try await TestServer.open { server in
      let user = #"{"name":{"firstName":"Ann","lastName":"Apple"}}"#
      let first = try await apple(server, user: user)
      #expect(first["displayName"] == "Ann Apple" && first["fullName"] == "Ann Apple")
      #expect(claims(first["idToken"])["name"] == "Ann Apple")
      let again = try await apple(server, user: nil)
      let account = try await account(server, session: again)
      #expect(account?["displayName"] == "Ann Apple")
      #expect(account?["providerUserInfo"]?.array?.first?["displayName"] == "Ann Apple")
    }
  }

  @Test(
    arguments: [
      (#"{"name":{"firstName":"Ann"}}"#, "Ann"), (#"{"name":{"lastName":"Apple"}}"#, "Apple"),
      (#"{"name":{}}"#, nil), ("{}", nil), ("no JSON", nil), ("[1]", nil), ("", nil),
      (#"{"name":{"firstName":1,"lastName":""}}"#, nil),
    ] as [(String, String?)])
  func `may say half a name, or none`(user: String, name: String?) async throws {
    try await TestServer.open { server in
      let reply = try await apple(server, user: user)
      #expect(reply.status == 200 && reply["displayName"]?.string == name, "\(reply.text)")
    }
  }

  @Test func `knows players by the id of their game`() async throws {
    try await TestServer.open { server in
      let player: JSON = [
        "playerId": "", "gamePlayerId": "A:_game", "teamPlayerId": "T:_team",
        "publicKeyUrl": "https://static.gc.apple.com/public-key/gc-prod-6.cer", "signature": "c2ln",
        "salt": "c2FsdA==", "timestamp": 1_700_000_000_000, "displayName": "Player One",
      ]
      let first = try await server.accounts("signInWithGameCenter", body: player)
      #expect(first.status == 200, "\(first.text)")
      #expect(first["isNewUser"] == true && first["gamePlayerId"] == "A:_game")
      #expect(first["playerId"] == nil)
      let again = try await server.accounts("signInWithGameCenter", body: player)
      #expect(again["localId"] == first["localId"] && again["isNewUser"] == nil)
      var nobody = player.object ?? JSONObject()
      nobody["gamePlayerId"] = ""
      let refused = try await server.accounts("signInWithGameCenter", body: .object(nobody))
      #expect(refused.message == "INVALID_IDP_RESPONSE : playerId is missing")
    }
  }

  @Test func `sends a reCAPTCHA token where it has been asked for one`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let path = "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword?key=any"
      let captcha = JSONObject([
        "captchaResponse": "token", "clientType": "CLIENT_TYPE_IOS",
        "recaptchaVersion": "RECAPTCHA_ENTERPRISE", "email": "a@b.c", "password": "secret1",
        "returnSecureToken": true,
      ])
      let right = try await server.post(path, body: .object(captcha))
      #expect(right.status == 200 && right["idToken"]?.string != nil, "\(right.text)")
      var wrong = captcha
      wrong["password"] = "secret2"
      #expect(try await server.post(path, body: .object(wrong)).message == "INVALID_PASSWORD")
    }
  }

  @Test func `is given the reCAPTCHA key of its platform`() async throws {
    try await TestServer.open { server in
      let keys: JSON = [
        ["key": "projects/p/keys/web", "type": "WEB"], ["key": "ios", "type": "IOS"],
      ]
      _ = try await server.adminV2(
        "PATCH", path: "/config?updateMask=recaptchaConfig",
        body: [
          "recaptchaConfig": ["emailPasswordEnforcementState": "ENFORCE", "recaptchaKeys": keys]
        ])
      for (type, key) in [
        ("", "projects/p/keys/web"), ("&clientType=CLIENT_TYPE_WEB", "projects/p/keys/web"),
        ("&clientType=CLIENT_TYPE_IOS", "projects/demo-hearth/keys/ios"),
        ("&clientType=3", "projects/demo-hearth/keys/ios"),
        ("&clientType=CLIENT_TYPE_ANDROID", "projects/demo-hearth/keys/hearth-fake-key"),
      ] {
        let reply = try await server.send(
          "GET",
          path: "/identitytoolkit.googleapis.com/v2/recaptchaConfig?key=a"
            + "&version=RECAPTCHA_ENTERPRISE\(type)")
        #expect(reply["recaptchaKey"]?.string == key, "\(type)")
        #expect(reply["recaptchaEnforcementState"]?.array?.first?["enforcementState"] == "ENFORCE")
      }
    }
  }

  @Test(arguments: [false, true])
  func `makes no account when it reauthenticates`(isProduction: Bool) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }) { server in
      let number = "+15555550100"
      func signIn(_ operation: JSON) async throws -> TestServer.Reply {
        let sent = try await server.accounts(
          "sendVerificationCode", body: ["phoneNumber": .string(number)])
        let codes = try await server.emulator("GET", path: "verificationCodes")
        let code = codes["verificationCodes"]?.array?.last?["code"]
        return try await server.accounts(
          "signInWithPhoneNumber",
          body: [
            "sessionInfo": sent["sessionInfo"] ?? .null, "code": code ?? .null,
            "operation": operation,
          ])
      }
      #expect(try await signIn("REAUTH").message == "USER_NOT_FOUND")
      #expect(try await server.admin("/accounts:query")["recordsCount"] == "0")
      let made = try await signIn("SIGN_UP_OR_IN")
      #expect(made["isNewUser"] == true)
      let known = try await signIn("REAUTH")
      #expect(known["localId"] == made["localId"] && known["isNewUser"] == false)
    }
  }
}
