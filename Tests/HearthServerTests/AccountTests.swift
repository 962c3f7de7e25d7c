import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `Signing up` {
  @Test func `with a password makes an account and tokens`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("Ann@Example.com")
      #expect(user["kind"] == "identitytoolkit#SignupNewUserResponse")
      #expect(user["email"] == "ann@example.com")
      #expect(user["localId"]?.string?.count == 28)
      #expect(user["expiresIn"] == "3600")
      let token = claims(user["idToken"])
      #expect(token["email_verified"] == false)
      #expect(token["firebase"]?["sign_in_provider"] == "password")
      #expect(token["firebase"]?["identities"] == ["email": ["ann@example.com"]])
      #expect(token["iss"] == "https://securetoken.google.com/demo-hearth")
      let lookup = try await server.accounts("lookup", body: ["idToken": user["idToken"] ?? ""])
      let record = lookup["users"]?.array?.first
      #expect(record?["passwordHash"] == "UkVEQUNURUQ=")
      #expect(record?["salt"]?.string?.isEmpty == false)
      #expect(record?["providerUserInfo"]?.array?.first?["providerId"] == "password")
    }
  }

  @Test func `without anything makes an anonymous account`() async throws {
    try await TestServer.open { server in
      let user = try await server.accounts(
        "signUp", body: ["password": "", "displayName": "ignored"])
      let token = claims(user["idToken"])
      #expect(token["provider_id"] == "anonymous")
      #expect(token["firebase"] == ["identities": [:], "sign_in_provider": "anonymous"])
      #expect(token["email_verified"] == nil)
      #expect(user["displayName"] == nil)
    }
  }

  @Test(
    arguments: [
      (["localId": "x"], "UNEXPECTED_PARAMETER : User ID"),
      (["password": "secret1"], "MISSING_EMAIL"),
      (["email": "x@y.z"], "MISSING_PASSWORD"),
      (["email": "", "password": ""], "INVALID_EMAIL"),
      (["email": "nope", "password": "secret1"], "INVALID_EMAIL"),
      (["email": "taken@b.c", "password": "short"], "EMAIL_EXISTS"),
      (
        ["email": "a@b.c", "password": "short"],
        "WEAK_PASSWORD : Password should be at least 6 characters"
      ),
      (
        ["email": "a@b.c", "password": "secret1", "mfaInfo": [["phoneInfo": "1"]]],
        "INVALID_MFA_PHONE_NUMBER : Invalid format."
      ),
      (["idToken": "nope", "email": "a@b.c", "password": "secret1"], "INVALID_ID_TOKEN"),
    ] as [(JSON, String)])
  func `is refused in the right order`(body: JSON, message: String) async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("taken@b.c")
      let reply = try await server.accounts("signUp", body: body)
      #expect(reply.status == 400)
      #expect(reply.message == message)
      #expect(reply["error"]?["status"] == nil)
      #expect(
        reply["error"]?["errors"]?.array?.first
          == ["message": .string(message), "reason": "invalid", "domain": "global"])
    }
  }

  @Test(
    arguments: [
      (["idToken": "x", "localId": "y"], "UNEXPECTED_PARAMETER : User ID"),
      (["localId": "known"], "DUPLICATE_LOCAL_ID"),
      (["phoneNumber": "555"], "INVALID_PHONE_NUMBER : Invalid format."),
      (["phoneNumber": "+1555"], "PHONE_NUMBER_EXISTS"),
    ] as [(JSON, String)])
  func `by an administrator is refused for what is taken`(
    body: JSON, message: String
  ) async throws {
    try await TestServer.open { server in
      let known = try await server.admin(
        "/accounts", body: ["localId": "known", "phoneNumber": "+1555", "emailVerified": true])
      #expect(known["localId"] == "known")
      #expect(known["idToken"] == nil)
      #expect(try await server.admin("/accounts", body: body).message == message)
    }
  }

  @Test func `with a token adds a password to the account`() async throws {
    try await TestServer.open { server in
      let anonymous = try await server.accounts("signUp")
      let linked = try await server.accounts(
        "signUp",
        body: ["idToken": anonymous["idToken"] ?? "", "email": "a@b.c", "password": "secret1"])
      #expect(linked["localId"] == anonymous["localId"])
      #expect(claims(linked["idToken"])["firebase"]?["sign_in_provider"] == "password")
    }
  }

  @Test func `with a token ends the sessions that had no password`() async throws {
    try await TestServer.open { server in
      func refresh(_ session: TestServer.Reply) async throws -> TestServer.Reply {
        try await server.post(
          "/securetoken.googleapis.com/v1/token?key=a",
          body: ["grantType": "refresh_token", "refreshToken": session["refreshToken"] ?? ""])
      }
      let anonymous = try await server.accounts("signUp")
      server.clock.advance(by: .seconds(2))
      let linked = try await server.accounts(
        "signUp",
        body: ["idToken": anonymous["idToken"] ?? "", "email": "a@b.c", "password": "secret1"])
      let lookup = try await server.accounts(
        "lookup", body: ["idToken": anonymous["idToken"] ?? ""])
      #expect(lookup.message == "TOKEN_EXPIRED")
      #expect(try await refresh(anonymous).message == "TOKEN_EXPIRED")
      #expect(try await refresh(linked).status == 200)
    }
  }
}

@Suite struct `Signing in with a password` {
  @Test(
    arguments: [
      ([:], "MISSING_EMAIL"),
      (["email": ""], "INVALID_EMAIL"),
      (["email": "a@b.c"], "MISSING_PASSWORD"),
      (["email": "nobody@b.c", "password": "secret1"], "EMAIL_NOT_FOUND"),
      (["email": "a@b.c", "password": "Secret1"], "INVALID_PASSWORD"),
      (["email": "off@b.c", "password": "wrong"], "USER_DISABLED"),
      (["email": "link@b.c", "password": "secret1"], "INVALID_PASSWORD"),
    ] as [(JSON, String)])
  func `is refused in the right order`(body: JSON, message: String) async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      _ = try await server.admin("/accounts", body: ["email": "off@b.c", "disabled": true])
      _ = try await server.admin("/accounts", body: ["email": "link@b.c"])
      let reply = try await server.accounts("signInWithPassword", body: body)
      #expect(reply.message == message)
      if message == "EMAIL_NOT_FOUND" || message == "INVALID_PASSWORD" {
        try await server.setSwitches(["emailEnumerationProtection": true])
        let hidden = try await server.accounts("signInWithPassword", body: body)
        #expect(hidden.message == "INVALID_LOGIN_CREDENTIALS")
      }
    }
  }

  @Test(arguments: ["idToken", "pendingIdToken"])
  func `does not know old ways`(field: String) async throws {
    try await TestServer.open { server in
      var body = JSONObject(["email": "a@b.c", "password": "secret1"])
      body.append(field, value: "x")
      let reply = try await server.accounts("signInWithPassword", body: .object(body))
      #expect(reply.status == 501)
    }
  }

  @Test func `answers with tokens and a moved login time`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      server.clock.advance(by: .seconds(100))
      let reply = try await server.signIn("A@B.C")
      #expect(reply["kind"] == "identitytoolkit#VerifyPasswordResponse")
      #expect(reply["registered"] == true)
      #expect(reply["displayName"] == nil)
      #expect(claims(reply["idToken"])["auth_time"] == 1_800_000_100)
    }
  }

  @Test func `is shut after too many wrong passwords, and opens again with time`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      try await server.setSwitches(["rateLimits": true, "wrongPasswordLimit": 3])
      for _ in 0..<3 {
        #expect(
          try await server.signIn("a@b.c", password: "wrong one").message == "INVALID_PASSWORD")
      }
      let shut = try await server.signIn("a@b.c")
      #expect(shut.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER : ") == true)
      server.clock.advance(by: .seconds(901))
      #expect(try await server.signIn("a@b.c").status == 200)
    }
  }

  @Test func `leaves no password anywhere in clear`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c", password: "open sesame")
      _ = try await server.signIn("a@b.c", password: "open sesame")
      _ = try await server.signIn("a@b.c", password: "closed sesame")
      let all = try await server.admin("/accounts:query")
      #expect(!all.text.contains("sesame"))
      #expect(!server.log.lines.contains { $0.contains("sesame") })
    }
  }
}

@Suite struct `Changing an account` {
  @Test(
    arguments: [
      ([:], "INVALID_REQ_TYPE : Unsupported request parameters."),
      (["idToken": "x", "customAttributes": "{}"], "INSUFFICIENT_PERMISSION"),
      (["oobCode": "nope"], "INVALID_OOB_CODE"),
      (["idToken": "nope"], "INVALID_ID_TOKEN"),
    ] as [(JSON, String)])
  func `is refused to users in the right order`(body: JSON, message: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.accounts("update", body: body)
      #expect(reply.message == message)
    }
  }

  @Test(
    arguments: [
      ([:], "MISSING_LOCAL_ID"),
      (["localId": "x", "customAttributes": "[]"], "INVALID_CLAIMS"),
      (["localId": "x", "customAttributes": "{"], "INVALID_CLAIMS"),
      (["localId": "x", "customAttributes": #"{"sub": 1, "aud": 2}"#], "FORBIDDEN_CLAIM : aud"),
      (["localId": "nobody"], "USER_NOT_FOUND"),
      (["localId": "u", "email": "nope"], "INVALID_EMAIL"),
      (["localId": "u", "email": "taken@b.c"], "EMAIL_EXISTS"),
      (
        ["localId": "u", "password": "short"],
        "WEAK_PASSWORD : Password should be at least 6 characters"
      ),
      (["localId": "u", "phoneNumber": "1"], "INVALID_PHONE_NUMBER : Invalid format."),
      (["localId": "u", "phoneNumber": "+1555"], "PHONE_NUMBER_EXISTS"),
      (["localId": "u", "linkProviderUserInfo": [:]], "MISSING_PROVIDER_ID"),
      (["localId": "u", "linkProviderUserInfo": ["providerId": "a"]], "MISSING_RAW_ID"),
      (
        ["localId": "u", "mfa": ["enrollments": [["phoneInfo": "+1"]]]],
        "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."
      ),
    ] as [(JSON, String)])
  func `is refused to administrators in the right order`(
    body: JSON, message: String
  ) async throws {
    try await TestServer.open { server in
      _ = try await server.admin("/accounts", body: ["localId": "u", "email": "u@b.c"])
      _ = try await server.admin("/accounts", body: ["email": "taken@b.c", "phoneNumber": "+1555"])
      #expect(try await server.admin("/accounts:update", body: body).message == message)
    }
  }

  @Test func `counts claims in UTF-16 units`() async throws {
    try await TestServer.open { server in
      _ = try await server.admin("/accounts", body: ["localId": "u"])
      for (length, isFine) in [(1000, true), (1001, false)] {
        let text = #"{"a":""# + String(repeating: "x", count: length - 8) + #""}"#
        let reply = try await server.admin(
          "/accounts:update", body: ["localId": "u", "customAttributes": .string(text)])
        #expect(reply.message == (isFine ? nil : "CLAIMS_TOO_LARGE"))
      }
    }
  }

  @Test func `of a password gives new tokens and ends the old session`() async throws {
    try await TestServer.open { server in
      let before = try await server.signUp("a@b.c")
      server.clock.advance(by: .seconds(2))
      let changed = try await server.accounts(
        "update", body: ["idToken": before["idToken"] ?? "", "password": "another1"])
      #expect(claims(changed["idToken"])["firebase"]?["sign_in_provider"] == "password")
      let lookup = try await server.accounts("lookup", body: ["idToken": before["idToken"] ?? ""])
      #expect(lookup.message == "TOKEN_EXPIRED")
      let refresh = try await server.post(
        "/securetoken.googleapis.com/v1/token?key=a",
        body: ["grantType": "refresh_token", "refreshToken": before["refreshToken"] ?? ""])
      #expect(refresh.message == "TOKEN_EXPIRED")
      #expect(try await server.signIn("a@b.c", password: "another1").status == 200)
    }
  }

  @Test func `of an address is mailed to the first one, which can undo it`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("first@b.c")
      let changed = try await server.accounts(
        "update", body: ["idToken": user["idToken"] ?? "", "email": "second@b.c"])
      #expect(changed["email"] == "second@b.c")
      #expect(changed["newEmail"] == "second@b.c")
      #expect(changed["emailVerified"] == false)
      #expect(changed["idToken"] != nil)
      let mail = try await server.emulator("GET", path: "messages/latest?type=RECOVER_EMAIL")
      #expect(mail["to"] == "first@b.c")
      let line = "To reset your email address to first@b.c, follow this link: "
      #expect(server.log.lines.contains { $0 == line + (mail["oobLink"]?.string ?? "") })
      let restored = try await server.accounts("update", body: ["oobCode": mail["oobCode"] ?? ""])
      #expect(restored["email"] == "first@b.c")
      #expect(restored["idToken"] == nil)
    }
  }

  @Test func `keeps the empty string and deletes attributes`() async throws {
    try await TestServer.open { server in
      _ = try await server.admin(
        "/accounts",
        body: ["localId": "u", "email": "u@b.c", "password": "secret1", "photoUrl": "p"])
      let empty = try await server.admin(
        "/accounts:update", body: ["localId": "u", "displayName": ""])
      #expect(empty["displayName"] == "")
      let deleted = try await server.admin(
        "/accounts:update",
        body: [
          "localId": "u", "deleteAttribute": ["PHOTO_URL", 2], "deleteProvider": ["password"],
        ])
      #expect(deleted["photoUrl"] == nil && deleted["displayName"] == nil)
      #expect(deleted["email"] == nil && deleted["providerUserInfo"] == [])
    }
  }
}

@Suite struct `Finding and deleting accounts` {
  @Test func `finds by every key, once each`() async throws {
    try await TestServer.open { server in
      let user: JSON = ["localId": "u", "email": "u@b.c", "phoneNumber": "+1555"]
      _ = try await server.admin("/accounts", body: user)
      _ = try await server.admin(
        "/accounts:update",
        body: [
          "localId": "u", "linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1"],
        ])
      let found = try await server.admin(
        "/accounts:lookup",
        body: [
          "localId": ["u", "nobody"], "email": ["U@B.C"], "phoneNumber": ["+1555"],
          "federatedUserId": [["providerId": "google.com", "rawId": "g1"], ["providerId": "x"]],
        ])
      #expect(found["users"]?.array?.count == 1)
      let none = try await server.admin("/accounts:lookup", body: ["localId": ["nobody"]])
      #expect(none.json.object?.keys == ["kind"])
      let wrong = try await server.admin("/accounts:lookup", body: ["localId": "u"])
      #expect(wrong.message == "Invalid JSON payload received. /localId must be array")
    }
  }

  @Test func `deletes for the user and for the administrator`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      let body: JSON = ["idToken": user["idToken"] ?? ""]
      let kind: JSON = ["kind": "identitytoolkit#DeleteAccountResponse"]
      #expect(try await server.accounts("delete", body: body).json == kind)
      #expect(try await server.accounts("delete", body: body).message == "USER_NOT_FOUND")
      #expect(try await server.accounts("delete").message == "MISSING_ID_TOKEN")
      #expect(try await server.admin("/accounts:delete").message == "MISSING_LOCAL_ID")
      let refresh = try await server.post(
        "/securetoken.googleapis.com/v1/token?key=a",
        body: ["grant_type": "refresh_token", "refresh_token": user["refreshToken"] ?? ""])
      #expect(refresh.message == "INVALID_REFRESH_TOKEN")
    }
  }

  @Test func `counts, sorts and pages`() async throws {
    try await TestServer.open { server in
      for name in ["c", "a", "b"] {
        _ = try await server.admin(
          "/accounts", body: ["localId": .string(name), "email": .string("\(name)@x.y")])
      }
      let count = try await server.admin("/accounts:query", body: ["returnUserInfo": false])
      #expect(count.json == ["recordsCount": "3"])
      let down = try await server.admin(":queryAccounts", body: ["order": "DESC", "limit": "2"])
      #expect(down["userInfo"]?.array?.compactMap { $0["localId"]?.string } == ["c", "b"])
      let one = try await server.admin(
        "/accounts:query",
        body: ["expression": [["email": "A@x.y"], ["userId": "c"]], "offset": "1"])
      #expect(one["userInfo"]?.array?.compactMap { $0["localId"]?.string } == ["c"])
    }
  }

  @Test func `tells the ways to sign in`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let uri: JSON = "http://localhost"
      let known = try await server.accounts(
        "createAuthUri", body: ["identifier": "a@b.c", "continueUri": uri, "sessionId": "s"])
      #expect(known["registered"] == true)
      #expect(known["signinMethods"] == ["password"] && known["sessionId"] == "s")
      for (body, message) in [
        ([:], "MISSING_IDENTIFIER"), (["identifier": "a@b.c"], "MISSING_CONTINUE_URI"),
        (["identifier": "nope", "continueUri": uri], "INVALID_IDENTIFIER"),
        (["identifier": "a@b.c", "continueUri": "nope"], "INVALID_CONTINUE_URI"),
      ] as [(JSON, String)] {
        #expect(try await server.accounts("createAuthUri", body: body).message == message)
      }
      try await server.setSwitches(["emailEnumerationProtection": true])
      let hidden = try await server.accounts(
        "createAuthUri", body: ["identifier": "a@b.c", "continueUri": uri])
      #expect(hidden.json.object?.keys == ["kind", "sessionId"])
    }
  }
}
