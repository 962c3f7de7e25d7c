import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthTime
import HearthTokens
import HearthWire
import Testing

@Suite struct `Custom tokens` {
  private static let audience =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

  private static func token(_ payload: JSONObject) -> JSON {
    var payload = payload
    if payload["aud"] == nil { payload["aud"] = .string(audience) }
    return .string(JWT.unsigned(payload))
  }

  @Test(arguments: [
    ("", "MISSING_CUSTOM_TOKEN"),
    (
      "{nope",
      "INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))"
    ),
    ("nope", "INVALID_CUSTOM_TOKEN : Invalid assertion format"),
    ("{}", "MISSING_IDENTIFIER"), (#"{"uid":""}"#, "MISSING_IDENTIFIER"),
    (#"{"uid":"a","claims":[]}"#, "INVALID_CLAIMS"),
    (#"{"uid":"a","claims":{"firebase":1}}"#, "FORBIDDEN_CLAIM : firebase"),
    (#"{"uid":"off"}"#, "USER_DISABLED"),
  ])
  func `are refused in the right order`(token: String, message: String) async throws {
    try await TestServer.open { server in
      _ = try await server.admin("/accounts", body: ["localId": "off", "disabled": true])
      let reply = try await server.accounts(
        "signInWithCustomToken", body: ["token": .string(token)])
      #expect(reply.message == message)
    }
  }

  @Test func `sign in, and their claims live in refreshed tokens`() async throws {
    try await TestServer.open { server in
      let payload = JSONObject(["uid": 12, "claims": ["plan": "pro", "email": "x"]])
      let session = try await server.accounts(
        "signInWithCustomToken", body: ["token": Self.token(payload)])
      #expect(session["isNewUser"] == true && session["localId"] == nil)
      let first = claims(session["idToken"])
      #expect(first["sub"] == "12" && first["plan"] == "pro" && first["email"] == nil)
      server.clock.advance(by: .seconds(10))
      let fresh = try await server.send(
        "POST", path: "/securetoken.googleapis.com/v1/token?key=a",
        body: "grant_type=refresh_token&refresh_token=\(session["refreshToken"]?.string ?? "")",
        headers: [("Content-Type", "application/x-www-form-urlencoded")])
      #expect(fresh["access_token"] == fresh["id_token"] && fresh["project_id"] == "12345")
      let second = claims(fresh["id_token"])
      #expect(second["plan"] == "pro" && second["auth_time"] == first["auth_time"])
      #expect(second["iat"] == 1_800_000_010)
    }
  }

  @Test func `are for this service, and in production signed`() async throws {
    try await TestServer.open { server in
      let wrong = try await server.accounts(
        "signInWithCustomToken", body: ["token": Self.token(JSONObject(["uid": "a", "aud": "b"]))])
      #expect(
        wrong.message?.hasPrefix("INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): b") == true)
      try await server.setSwitches(["acceptUnsignedTokens": false])
      let unsigned = try await server.accounts(
        "signInWithCustomToken", body: ["token": Self.token(JSONObject(["uid": "a"]))])
      #expect(unsigned.message?.hasPrefix("INVALID_CUSTOM_TOKEN") == true)
    }
  }
}

@Suite struct `Refresh tokens` {
  @Test(
    arguments: [
      (["refresh_token": "nope"], "INVALID_REFRESH_TOKEN"), ([:], "MISSING_GRANT_TYPE"),
      (["grantType": "x"], "INVALID_GRANT_TYPE"),
      (["grant_type": "refresh_token"], "MISSING_REFRESH_TOKEN"),
    ] as [(JSON, String)])
  func `are refused in the right order`(body: JSON, message: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.post("/securetoken.googleapis.com/v1/token?key=a", body: body)
      #expect(reply.message == message)
      let anywhere = try await server.accounts("lookup", body: ["refreshToken": "nope"])
      #expect(anywhere.message == "INVALID_REFRESH_TOKEN")
    }
  }

  @Test func `of disabled users rest`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      _ = try await server.admin(
        "/accounts:update", body: ["localId": user["localId"] ?? "", "disableUser": true])
      let reply = try await server.post(
        "/securetoken.googleapis.com/v1/token?key=a",
        body: ["grant_type": "refresh_token", "refresh_token": user["refreshToken"] ?? ""])
      #expect(reply.message == "USER_DISABLED")
    }
  }

  @Test func `end when an administrator says so, in the same second too`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      _ = try await server.admin(
        "/accounts:update",
        body: [
          "localId": user["localId"] ?? "", "validSince": .string(String(server.clock.now.seconds)),
        ])
      let reply = try await server.post(
        "/securetoken.googleapis.com/v1/token?key=a",
        body: ["grant_type": "refresh_token", "refresh_token": user["refreshToken"] ?? ""])
      #expect(reply.message == "TOKEN_EXPIRED")
    }
  }
}

@Suite struct `Session cookies and ID tokens` {
  @Test func `have durations within bounds`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      for (duration, seconds) in [
        (nil, 1_209_600), ("300", 300), (1_209_600, 1_209_600), ("abc", 1_209_600),
        ("299", nil), ("1209601", nil),
      ] as [(JSON?, Int64?)] {
        var body = JSONObject(["idToken": user["idToken"] ?? ""])
        if let duration { body.append("validDuration", value: duration) }
        let reply = try await server.admin(":createSessionCookie", body: .object(body))
        let cookie = claims(reply["sessionCookie"])
        if let seconds {
          #expect(cookie["exp"] == .int(server.clock.now.seconds + seconds))
          #expect(cookie["iss"] == "https://session.firebase.google.com/demo-hearth")
        } else {
          #expect(reply.message == "INVALID_DURATION")
        }
      }
      #expect(try await server.admin(":createSessionCookie").message == "MISSING_ID_TOKEN")
    }
  }

  /// The official emulators take a cookie where they want an ID token. Production does not.
  @Test(arguments: [false, true])
  func `are one and the same to the emulators only`(isProduction: Bool) async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      let made = try await server.admin(
        ":createSessionCookie", body: ["idToken": user["idToken"] ?? ""])
      let cookie = made["sessionCookie"]?.string ?? ""
      if isProduction { try await server.setSwitches(["answers": "production"]) }
      let found = try await server.accounts("lookup", body: ["idToken": .string(cookie)])
      #expect(found.message == (isProduction ? "INVALID_ID_TOKEN" : nil))
      let document = try await server.firestore.get(
        "/v1/projects/demo-hearth/databases/(default)/documents/a/b",
        headers: [("Authorization", "Bearer \(cookie)")])
      #expect(document.status == (isProduction ? 401 : 404))
    }
  }

  @Test func `expire by the clock, but for unsigned ones`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      let signed = user["idToken"] ?? ""
      let jwt = try #require(JWT(signed.string ?? ""))
      server.clock.advance(by: .seconds(3601))
      let late = try await server.accounts("lookup", body: ["idToken": signed])
      #expect(late.message == "TOKEN_EXPIRED")
      let unsigned = JSON.string(JWT.unsigned(jwt.claims))
      #expect(try await server.accounts("lookup", body: ["idToken": unsigned]).status == 200)
      try await server.setSwitches(["acceptUnsignedTokens": false, "tokenExpiry": false])
      #expect(
        try await server.accounts("lookup", body: ["idToken": unsigned]).message
          == "INVALID_ID_TOKEN")
      #expect(try await server.accounts("lookup", body: ["idToken": signed]).status == 200)
    }
  }

  @Test func `ask for a recent sign-in where that is wanted`() async throws {
    try await TestServer.open({ $0.profile = .production }) { server in
      let user = try await server.signUp("a@b.c")
      server.clock.advance(by: .seconds(301))
      let body: JSON = ["idToken": user["idToken"] ?? "", "password": "another1"]
      #expect(
        try await server.accounts("update", body: body).message == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
      let domain = try await server.accounts(
        "sendOobCode",
        body: [
          "requestType": "PASSWORD_RESET", "email": "a@b.c", "continueUrl": "https://evil.example",
        ])
      #expect(domain.message?.hasPrefix("UNAUTHORIZED_DOMAIN : ") == true)
      #expect(try await server.signIn("n@b.c").message == "INVALID_LOGIN_CREDENTIALS")
      let tenant = try await server.accounts("signUp", body: ["tenantId": "nobody"])
      #expect(tenant.message == "INVALID_TENANT_ID")
    }
  }

  @Test func `need a user and a firebase claim`() async throws {
    try await TestServer.open { server in
      for (payload, message) in [
        (["user_id": "a"], "INVALID_ID_TOKEN"),
        (["user_id": "a", "firebase": [:]], "USER_NOT_FOUND"),
      ] as [(JSON, String)] {
        let token = JWT.unsigned(payload.object ?? JSONObject())
        let reply = try await server.accounts("lookup", body: ["idToken": .string(token)])
        #expect(reply.message == message)
      }
    }
  }
}

@Suite struct `Numbers at the edge` {
  private static let edges = ["-9223372036854775808", "9223372036854775807", "1e300", "-1", "0"]

  @Test(arguments: edges)
  func `break nothing`(number: String) async throws {
    try await TestServer.open { server in
      let value = try JSON.parse(number)
      try await server.setSwitches(["recentLogin": true, "rateLimits": true])
      _ = try await server.emulator("PATCH", path: "switches", body: ["wrongPasswordLimit": value])
      _ = try await server.admin(
        "/accounts",
        body: ["localId": "u", "email": "u@b.c", "password": "secret1", "emailVerified": true])
      let times: JSON = [
        "localId": "u", "lastLoginAt": .string(number), "createdAt": .string(number),
        "validSince": .string(number),
      ]
      #expect(try await server.admin("/accounts:update", body: times).status == 200)
      for password in ["secret1", "wrong one"] {
        #expect(try await server.signIn("u@b.c", password: password).status <= 400)
      }
      let token = JWT.unsigned(
        JSONObject([
          "user_id": "u", "firebase": [:], "auth_time": value, "iat": value, "exp": value,
        ]))
      for verb in ["lookup", "update", "delete"] {
        let reply = try await server.accounts(
          verb, body: ["idToken": .string(token), "password": "another1"])
        #expect(reply.status <= 400, "\(verb) \(reply.text)")
      }
      let credential = JSON.members([
        "_AuthEmulatorMfaPendingCredential": "x", "localId": "u", "projectId": "demo-hearth",
        "issuedAt": value,
      ])
      let reply = try await server.v2(
        "accounts/mfaSignIn:start",
        body: [
          "mfaPendingCredential": .string(Base64.encode(credential.bytes)), "mfaEnrollmentId": "x",
        ])
      #expect(reply.status == 400)
      #expect(try await server.send("GET", path: "/").status == 200)
    }
  }
}

@Suite struct `Old names` {
  @Test(arguments: [
    ("createAuthUri", "MISSING_IDENTIFIER"), ("deleteAccount", "MISSING_ID_TOKEN"),
    ("emailLinkSignin", "MISSING_EMAIL"), ("getAccountInfo", "MISSING_ID_TOKEN"),
    ("getOobConfirmationCode", "MISSING_REQ_TYPE"), ("resetPassword", "MISSING_OOB_CODE"),
    ("sendVerificationCode", "INVALID_PHONE_NUMBER : Invalid format."),
    ("setAccountInfo", "INVALID_REQ_TYPE : Unsupported request parameters."),
    ("verifyAssertion", "MISSING_REQUEST_URI"), ("verifyCustomToken", "MISSING_CUSTOM_TOKEN"),
    ("verifyPassword", "MISSING_EMAIL"), ("verifyPhoneNumber", "MISSING_SESSION_INFO"),
    ("downloadAccount", "INSUFFICIENT_PERMISSION"), ("uploadAccount", "INSUFFICIENT_PERMISSION"),
  ])
  func `lead to today's operations`(name: String, message: String) async throws {
    try await TestServer.open { server in
      let prefix = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
      let reply = try await server.post(prefix + name + "?key=a&alt=xml", body: [:])
      #expect(reply.message == message)
      let project = try await server.send("GET", path: prefix + "getProjectConfig?key=a")
      #expect(project.json == ["projectId": "12345", "authorizedDomains": ["localhost"]])
      let bare = try await server.post(
        "/identitytoolkit/v3/relyingparty/" + name + "?key=a", body: [:])
      #expect(bare.message == message)
    }
  }
}
