import HearthOperations
import HearthServer
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `A way to sign in that is switched off` {
  private func switchOff(
    _ server: TestServer, _ mask: String, _ signIn: JSON
  ) async throws {
    let reply = try await server.adminV2(
      "PATCH", "/config?updateMask=\(mask)", ["signIn": signIn])
    #expect(reply.status == 200, "\(reply.text)")
  }

  private func opening(
    _ isProduction: Bool, _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }, body)
  }

  private static let password: JSON = ["email": "new@b.c", "password": "secret1"]

  @Test(arguments: [false, true])
  func `is refused to clients, for passwords`(isProduction: Bool) async throws {
    try await opening(isProduction) { server in
      let user = try await server.signUp("a@b.c")
      let code = try await server.oobCode("PASSWORD_RESET", ["email": "a@b.c"])
      try await switchOff(server, "signIn.email.enabled", ["email": ["enabled": false]])
      #expect(try await server.accounts("signUp", Self.password).message == "OPERATION_NOT_ALLOWED")
      #expect(try await server.signIn("a@b.c").message == "PASSWORD_LOGIN_DISABLED")
      #expect(try await server.signIn("nobody@b.c").message == "PASSWORD_LOGIN_DISABLED")
      let reset = try await server.accounts(
        "resetPassword", ["oobCode": .string(code), "newPassword": "secret2"])
      #expect(reset.message == "PASSWORD_LOGIN_DISABLED")
      let link = try await server.accounts(
        "sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
      #expect(link.message == "OPERATION_NOT_ALLOWED")
      let change = try await server.accounts(
        "update", ["idToken": user["idToken"] ?? .null, "password": "secret2"])
      #expect(change.message == "OPERATION_NOT_ALLOWED")
      // Administrators may, and what does not need a password goes on.
      #expect(try await server.admin("/accounts", Self.password).status == 200)
      #expect(try await server.accounts("signUp").status == 200)
      let named = try await server.accounts(
        "update", ["idToken": user["idToken"] ?? .null, "displayName": "Ann"])
      #expect(named.status == 200)
      try await switchOff(server, "signIn.email.enabled", ["email": ["enabled": true]])
      #expect(try await server.signIn("a@b.c").status == 200)
    }
  }

  @Test(arguments: [false, true])
  func `is refused to clients, for anonymous accounts`(isProduction: Bool) async throws {
    try await opening(isProduction) { server in
      try await switchOff(server, "sign_in.anonymous", ["anonymous": ["enabled": false]])
      #expect(try await server.accounts("signUp").message == "ADMIN_ONLY_OPERATION")
      let v3 = try await server.post(
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser?key=any", [:])
      #expect(v3.message == "ADMIN_ONLY_OPERATION")
      #expect(try await server.accounts("signUp", Self.password).status == 200)
    }
  }

  @Test(arguments: [false, true])
  func `is refused to clients, for links`(isProduction: Bool) async throws {
    try await opening(isProduction) { server in
      let request: JSON = [
        "requestType": "EMAIL_SIGNIN", "email": "a@b.c",
        "continueUrl": "https://demo-hearth.web.app/",
      ]
      #expect(try await server.accounts("sendOobCode", request).status == 200)
      let code = try await server.emulator("GET", "messages/latest")["oobCode"]
      try await switchOff(
        server, "signIn.email.passwordRequired", ["email": ["passwordRequired": true]])
      #expect(
        try await server.accounts("sendOobCode", request).message == "OPERATION_NOT_ALLOWED")
      let late = try await server.accounts(
        "signInWithEmailLink", ["email": "a@b.c", "oobCode": code ?? .null])
      #expect(late.message == "OPERATION_NOT_ALLOWED")
      #expect(try await server.accounts("signUp", Self.password).status == 200)
    }
  }

  @Test(arguments: [false, true])
  func `is refused to clients, for phones`(isProduction: Bool) async throws {
    try await opening(isProduction) { server in
      let request: JSON = ["phoneNumber": "+15555550100"]
      let sent = try await server.accounts("sendVerificationCode", request)
      try await switchOff(
        server, "signIn.phoneNumber.enabled", ["phoneNumber": ["enabled": false]])
      #expect(
        try await server.accounts("sendVerificationCode", request).message
          == "OPERATION_NOT_ALLOWED")
      let late = try await server.accounts(
        "signInWithPhoneNumber", ["sessionInfo": sent["sessionInfo"] ?? .null, "code": "1"])
      #expect(late.message == "OPERATION_NOT_ALLOWED")
    }
  }

  @Test func `stays off in a full update that says so, and is on in another`() async throws {
    try await TestServer.open { server in
      let off = try await server.adminV2(
        "PATCH", "/config",
        ["signIn": ["email": ["enabled": false, "passwordRequired": false], "anonymous": [:]]])
      #expect(off["signIn"] == ["allowDuplicateEmails": false, "email": ["enabled": false]])
      #expect(try await server.signIn("a@b.c").message == "PASSWORD_LOGIN_DISABLED")
      _ = try await server.adminV2("PATCH", "/config", [:])
      #expect(try await server.accounts("signUp", Self.password).status == 200)
    }
  }

  @Test func `is a project's own affair, and a tenant's`() async throws {
    try await TestServer.open { server in
      try await switchOff(server, "signIn.email.enabled", ["email": ["enabled": false]])
      let made = try await server.adminV2("POST", "/tenants", ["allowPasswordSignup": true])
      var body = Self.password.object ?? JSONObject()
      body["tenantId"] = made["tenantId"]
      #expect(try await server.accounts("signUp", .object(body)).status == 200)
    }
  }

  @Test func `is off where a mask of production has cleared it`() async throws {
    try await opening(true) { server in
      try await switchOff(server, "signIn.anonymous", [:])
      #expect(try await server.accounts("signUp").message == "ADMIN_ONLY_OPERATION")
    }
  }
}
