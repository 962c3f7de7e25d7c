import HearthServer
import HearthTestSupport
import HearthTime
import HearthTransport
import HearthWire
import NIOHTTP1
import Testing

@Suite struct `Out-of-band codes` {
  @Test(
    arguments: [
      ([:], "MISSING_REQ_TYPE"),
      (["requestType": 0], "MISSING_REQ_TYPE"),
      (["requestType": "PASSWORD_RESET", "returnOobLink": true], "INSUFFICIENT_PERMISSION"),
      (
        ["requestType": "PASSWORD_RESET", "continueUrl": "nope"],
        "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"
      ),
      (["requestType": "PASSWORD_RESET"], "MISSING_EMAIL"),
      (["requestType": "PASSWORD_RESET", "email": "nobody"], "INVALID_EMAIL"),
      (["requestType": "PASSWORD_RESET", "email": "nobody@b.c"], "EMAIL_NOT_FOUND"),
      (["requestType": "EMAIL_SIGNIN"], "MISSING_EMAIL"),
      (["requestType": "VERIFY_EMAIL", "email": "a@b.c"], "INVALID_ID_TOKEN"),
      (["requestType": "VERIFY_AND_CHANGE_EMAIL"], "MISSING_NEW_EMAIL"),
      (["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "n@b.c"], "MISSING_ID_TOKEN"),
      (["requestType": "RECOVER_EMAIL"], "RECOVER_EMAIL"),
    ] as [(JSON, String)])
  func `are refused in the right order`(body: JSON, message: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.accounts("sendOobCode", body: body)
      #expect(reply.message == message)
      #expect(reply.status == (message == "RECOVER_EMAIL" ? 501 : 400))
    }
  }

  @Test func `of unknown addresses look sent where addresses are secret`() async throws {
    try await TestServer.open { server in
      try await server.setSwitches(["emailEnumerationProtection": true])
      let reply = try await server.accounts(
        "sendOobCode", body: ["requestType": "PASSWORD_RESET", "email": "Nobody@b.c"])
      #expect(
        reply.json
          == ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": "nobody@b.c"])
      #expect(try await server.emulator("GET", path: "oobCodes").json == ["oobCodes": []])
      #expect(
        try await server.emulator("GET", path: "messages").json == ["messages": [], "total": 0])
    }
  }

  @Test func `come as a mail, a listed code and a line`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let code = try await server.oobCode(
        "PASSWORD_RESET", body: ["email": "a@b.c", "continueUrl": "https://app/x?a=b c"])
      #expect(code.count == 54)
      let listed = try await server.emulator("GET", path: "oobCodes")["oobCodes"]?.array?.first
      let link =
        "http://127.0.0.1:\(server.addresses.authPort)/emulator/action?mode=resetPassword&lang=en"
        + "&oobCode=\(code)&apiKey=fake-api-key&continueUrl=https%3A%2F%2Fapp%2Fx%3Fa%3Db+c"
      #expect(listed?["oobLink"] == .string(link))
      #expect(listed?["requestType"] == "PASSWORD_RESET")
      #expect(
        server.log.lines.contains(
          "To reset the password for a@b.c, follow this link: \(link)"
            + "&newPassword=NEW_PASSWORD_HERE"))
    }
  }

  @Test func `go to administrators as a link, which is not sent`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let reply = try await server.admin(
        "/accounts:sendOobCode",
        body: ["requestType": "VERIFY_EMAIL", "email": "a@b.c", "returnOobLink": true])
      #expect(reply["oobLink"]?.string?.contains("mode=verifyEmail") == true)
      let messages = try await server.emulator("GET", path: "messages")["messages"]?.array ?? []
      #expect(messages.map { $0["delivery"] } == [["state": "notSent"]])
      #expect(messages.first?["link"] == reply["oobLink"])
      #expect(try await server.emulator("GET", path: "messages/latest?to=a@b.c").status == 404)
      #expect(!server.log.lines.contains { $0.contains("oobCode") })
      let unknown = try await server.admin(
        "/accounts:sendOobCode",
        body: ["requestType": "VERIFY_EMAIL", "email": "n@b.c", "returnOobLink": true])
      #expect(unknown.message == "USER_NOT_FOUND")
    }
  }

  @Test(arguments: [
    ("PASSWORD_RESET", 3600), ("VERIFY_EMAIL", 3 * 86_400), ("EMAIL_SIGNIN", 21_600),
  ])
  func `expire in their time, unless a switch says no`(type: String, seconds: Int) async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      let code = try await server.oobCode(
        type,
        body: ["email": "a@b.c", "idToken": type == "VERIFY_EMAIL" ? user["idToken"] ?? "" : ""])
      server.clock.advance(by: .seconds(seconds - 1))
      let early = try await server.accounts("resetPassword", body: ["oobCode": .string(code)])
      #expect(early["requestType"] == .string(type))
      server.clock.advance(by: .seconds(1))
      let late = try await server.accounts("resetPassword", body: ["oobCode": .string(code)])
      #expect(late.message == "EXPIRED_OOB_CODE")
      try await server.setSwitches(["codeExpiry": false])
      let kept = try await server.accounts("resetPassword", body: ["oobCode": .string(code)])
      #expect(kept.status == 200)
    }
  }

  @Test func `reset a password once, and end every session`() async throws {
    try await TestServer.open { server in
      let before = try await server.signUp("a@b.c")
      let code = try await server.oobCode("PASSWORD_RESET", body: ["email": "a@b.c"])
      let weak = try await server.accounts(
        "resetPassword", body: ["oobCode": .string(code), "newPassword": "short"])
      #expect(weak.message == "WEAK_PASSWORD : Password should be at least 6 characters")
      let reset: JSON = ["oobCode": .string(code), "newPassword": "another1"]
      let done = try await server.accounts("resetPassword", body: reset)
      #expect(done["email"] == "a@b.c")
      #expect(try await server.accounts("resetPassword", body: reset).message == "INVALID_OOB_CODE")
      // In the very second of the reset, too.
      let refresh = try await server.post(
        "/securetoken.googleapis.com/v1/token?key=a",
        body: ["grant_type": "refresh_token", "refresh_token": before["refreshToken"] ?? ""])
      #expect(refresh.message == "TOKEN_EXPIRED")
      #expect(try await server.signIn("a@b.c").message == "INVALID_PASSWORD")
      let after = try await server.signIn("a@b.c", password: "another1")
      #expect(claims(after["idToken"])["email_verified"] == true)
      let mail = try await server.emulator("GET", path: "messages/latest")
      #expect(mail["usedAt"] != nil)
    }
  }

  @Test func `sign in by mail`() async throws {
    try await TestServer.open { server in
      let code = try await server.oobCode("EMAIL_SIGNIN", body: ["email": "New@b.c"])
      let other = try await server.accounts(
        "signInWithEmailLink", body: ["email": "other@b.c", "oobCode": .string(code)])
      #expect(
        other.message
          == "INVALID_EMAIL : The email provided does not match the sign-in email address.")
      let body: JSON = ["email": "new@b.c", "oobCode": .string(code)]
      let signedIn = try await server.accounts("signInWithEmailLink", body: body)
      #expect(signedIn["isNewUser"] == true)
      #expect(claims(signedIn["idToken"])["email_verified"] == true)
      #expect(claims(signedIn["idToken"])["firebase"]?["sign_in_provider"] == "password")
      #expect(
        try await server.accounts("signInWithEmailLink", body: body).message == "INVALID_OOB_CODE")
    }
  }

  @Test func `are gone even when the user is`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      let code = try await server.oobCode("VERIFY_EMAIL", body: ["idToken": user["idToken"] ?? ""])
      _ = try await server.accounts("delete", body: ["idToken": user["idToken"] ?? ""])
      for _ in 0..<2 {
        let reply = try await server.accounts("update", body: ["oobCode": .string(code)])
        #expect(reply.message == "INVALID_OOB_CODE")
      }
      #expect(try await server.emulator("GET", path: "oobCodes").json == ["oobCodes": []])
    }
  }
}

@Suite struct `The action page` {
  private static let browser = [("Accept", "text/html,*/*")]

  @Test(arguments: ["", "?apiKey=a", "?apiKey=a&oobCode=x", "?apiKey=a&oobCode=x&mode=nope"])
  func `explains incomplete links`(query: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.send("GET", path: "/emulator/action" + query)
      #expect(reply.status == 400)
      #expect(reply["authEmulator"]?["error"]?.string?.isEmpty == false)
    }
  }

  @Test func `resets a password for programs`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let code = try await server.oobCode("PASSWORD_RESET", body: ["email": "a@b.c"])
      let path = "/emulator/action?mode=resetPassword&apiKey=a&oobCode=\(code)"
      let asked = try await server.send("GET", path: path)
      #expect(asked.status == 400)
      #expect(
        asked["authEmulator"]?["urlTemplate"]?.string?.hasSuffix("&newPassword=NEW_PASSWORD_HERE")
          == true)
      let weak = try await server.send("GET", path: path + "&newPassword=x")
      #expect(weak.message?.hasPrefix("WEAK_PASSWORD") == true)
      let done = try await server.send("GET", path: path + "&newPassword=another1")
      #expect(done["authEmulator"]?["email"] == "a@b.c")
      #expect(try await server.send("GET", path: path).status == 400)
    }
  }

  @Test func `resets a password for people, with a form that needs no script`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let code = try await server.oobCode("PASSWORD_RESET", body: ["email": "a@b.c"])
      let path = "/emulator/action?mode=resetPassword&apiKey=a&oobCode=\(code)"
      let page = try await server.send("GET", path: path, headers: Self.browser)
      #expect(page.status == 200)
      #expect(page.text.contains("<form method=\"post\" action=\"/emulator/action\" novalidate>"))
      let form = [("Content-Type", "application/x-www-form-urlencoded")] + Self.browser
      let fields = "mode=resetPassword&apiKey=a&oobCode=\(code)&newPassword="
      let weak = try await server.send(
        "POST", path: "/emulator/action", body: fields + "x", headers: form)
      #expect(weak.text.contains("role=\"alert\""))
      let done = try await server.send(
        "POST", path: "/emulator/action", body: fields + "another1", headers: form)
      #expect(done.status == 200)
      #expect(try await server.signIn("a@b.c", password: "another1").status == 200)
      let used = try await server.send("GET", path: path, headers: Self.browser)
      #expect(used.status == 400 && used.text.contains("<h1>"))
    }
  }

  @Test func `hands a sign-in link on to the app`() async throws {
    try await TestServer.open { server in
      let code = try await server.oobCode("EMAIL_SIGNIN", body: ["email": "a@b.c"])
      let reply = try await server.send(
        "GET",
        path: "/emulator/action?mode=signIn&apiKey=k&oobCode=\(code)&lang=en&continueUrl="
          + "myapp%3A%2F%2Fx%3Fa%3D1%26lang%3Dde%23frag")
      #expect(reply.status == 303)
      #expect(
        reply.headers["Location"]
          == ["myapp://x?a=1&lang=en&mode=signIn&apiKey=k&oobCode=\(code)#frag"])
      let written = try await server.send(
        "GET",
        path:
          "/emulator/action?mode=signIn&apiKey=k&oobCode=c&continueUrl=HTTP%3A%2F%2FA.example%3A80")
      #expect(
        written.headers["Location"] == ["http://a.example/?mode=signIn&apiKey=k&oobCode=c"])
    }
  }

  @Test func `heeds what a tenant has switched off`() async throws {
    try await TestServer.open { server in
      let made = try await server.adminV2(
        "POST", path: "/tenants", body: ["allowPasswordSignup": true])
      let tenant = made["tenantId"]?.string ?? ""
      let fields: JSON = [
        "email": "a@b.c", "password": "secret1", "tenantId": .string(tenant),
      ]
      let user = try await server.accounts("signUp", body: fields)
      func link(_ type: String, mode: String, body: JSON) async throws -> String {
        let code = try await server.oobCode(type, body: body)
        return "/emulator/action?mode=\(mode)&apiKey=k&oobCode=\(code)&tenantId=\(tenant)"
      }
      let reset =
        try await link(
          "PASSWORD_RESET", mode: "resetPassword",
          body: ["email": "a@b.c", "tenantId": .string(tenant)])
        + "&newPassword=another1"
      let verify = try await link(
        "VERIFY_EMAIL", mode: "verifyEmail", body: ["idToken": user["idToken"] ?? ""])
      func set(_ field: String, value: JSON) async throws {
        let reply = try await server.adminV2(
          "PATCH", path: "/tenants/\(tenant)?updateMask=\(field)", body: .members([field: value]))
        #expect(reply.status == 200)
      }
      try await set("allowPasswordSignup", value: false)
      #expect(try await server.send("GET", path: reset).message == "PASSWORD_LOGIN_DISABLED")
      try await set("allowPasswordSignup", value: true)
      try await set("disableAuth", value: true)
      #expect(try await server.send("GET", path: reset).message == "PROJECT_DISABLED")
      #expect(try await server.send("GET", path: verify).message == "PROJECT_DISABLED")
      try await set("disableAuth", value: false)
      #expect(try await server.send("GET", path: reset).status == 200)
      #expect(try await server.send("GET", path: verify).status == 200)
    }
  }

  @Test func `verifies an address and goes on`() async throws {
    try await TestServer.open { server in
      let user = try await server.signUp("a@b.c")
      let code = try await server.oobCode("VERIFY_EMAIL", body: ["idToken": user["idToken"] ?? ""])
      let reply = try await server.send(
        "GET",
        path:
          "/emulator/action?mode=verifyEmail&apiKey=k&oobCode=\(code)&continueUrl=https://a.example/x"
      )
      #expect(reply.status == 303)
      #expect(reply.headers["Location"] == ["https://a.example/x"])
      let lookup = try await server.accounts("lookup", body: ["idToken": user["idToken"] ?? ""])
      #expect(lookup["users"]?.array?.first?["emailVerified"] == true)
    }
  }
}
