import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `A way to sign in that is switched off` {
  private func switchOff(
    _ server: TestServer, mask: String, signIn: JSON
  ) async throws {
    let reply = try await server.adminV2(
      "PATCH", path: "/config?updateMask=\(mask)", body: ["signIn": signIn])
    #expect(reply.status == 200, "\(reply.text)")
  }

  private func opening(
    _ isProduction: Bool, body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }, body: body)
  }

  private static let password: JSON = ["email": "new@b.c", "password": "secret1"]

  @Test(arguments: [false, true])
  func `is refused to clients, for passwords`(isProduction: Bool) async throws {
    try await opening(isProduction) { server in
      let user = try await server.signUp("a@b.c")
      let code = try await server.oobCode("PASSWORD_RESET", body: ["email": "a@b.c"])
      try await switchOff(
        server, mask: "signIn.email.enabled", signIn: ["email": ["enabled": false]])
      #expect(
        try await server.accounts("signUp", body: Self.password).message == "OPERATION_NOT_ALLOWED")
      #expect(try await server.signIn("a@b.c").message == "PASSWORD_LOGIN_DISABLED")
      #expect(try await server.signIn("nobody@b.c").message == "PASSWORD_LOGIN_DISABLED")
      let reset = try await server.accounts(
        "resetPassword", body: ["oobCode": .string(code), "newPassword": "secret2"])
      #expect(reset.message == "PASSWORD_LOGIN_DISABLED")
      let link = try await server.accounts(
        "sendOobCode", body: ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
      #expect(link.message == "OPERATION_NOT_ALLOWED")
      let change = try await server.accounts(
        "update", body: ["idToken": user["idToken"] ?? .null, "password": "secret2"])
      #expect(change.message == "OPERATION_NOT_ALLOWED")
      // Administrators may, and what does not need a password goes on.
      #expect(try await server.admin("/accounts", body: Self.password).status == 200)
      #expect(try await server.accounts("signUp").status == 200)
      let named = try await server.accounts(
        "update", body: ["idToken": user["idToken"] ?? .null, "displayName": "Ann"])
      #expect(named.status == 200)
      try await switchOff(
        server, mask: "signIn.email.enabled", signIn: ["email": ["enabled": true]])
      #expect(try await server.signIn("a@b.c").status == 200)
    }
  }

  @Test(arguments: [false, true])
  func `is refused to clients, for anonymous accounts`(isProduction: Bool) async throws {
    try await opening(isProduction) { server in
      try await switchOff(
        server, mask: "sign_in.anonymous", signIn: ["anonymous": ["enabled": false]])
      #expect(try await server.accounts("signUp").message == "ADMIN_ONLY_OPERATION")
      let v3 = try await server.post(
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser?key=any", body: [:])
      #expect(v3.message == "ADMIN_ONLY_OPERATION")
      #expect(try await server.accounts("signUp", body: Self.password).status == 200)
    }
  }

  @Test(arguments: [false, true])
  func `is refused to clients, for links`(isProduction: Bool) async throws {
    try await opening(isProduction) { server in
      let request: JSON = [
        "requestType": "EMAIL_SIGNIN", "email": "a@b.c",
        "continueUrl": "https://demo-hearth.web.app/",
      ]
      #expect(try await server.accounts("sendOobCode", body: request).status == 200)
      let code = try await server.emulator("GET", path: "messages/latest")["oobCode"]
      try await switchOff(
        server, mask: "signIn.email.passwordRequired", signIn: ["email": ["passwordRequired": true]]
      )
      #expect(
        try await server.accounts("sendOobCode", body: request).message == "OPERATION_NOT_ALLOWED")
      let late = try await server.accounts(
        "signInWithEmailLink", body: ["email": "a@b.c", "oobCode": code ?? .null])
      #expect(late.message == "OPERATION_NOT_ALLOWED")
      #expect(try await server.accounts("signUp", body: Self.password).status == 200)
    }
  }

  @Test(arguments: [false, true])
  func `is refused to clients, for phones`(isProduction: Bool) async throws {
    try await opening(isProduction) { server in
      let request: JSON = ["phoneNumber": "+15555550100"]
      let sent = try await server.accounts("sendVerificationCode", body: request)
      try await switchOff(
        server, mask: "signIn.phoneNumber.enabled", signIn: ["phoneNumber": ["enabled": false]])
      #expect(
        try await server.accounts("sendVerificationCode", body: request).message
          == "OPERATION_NOT_ALLOWED")
      let late = try await server.accounts(
        "signInWithPhoneNumber", body: ["sessionInfo": sent["sessionInfo"] ?? .null, "code": "1"])
      #expect(late.message == "OPERATION_NOT_ALLOWED")
    }
  }

  @Test func `stays off in a full update that says so, and is on in another`() async throws {
    try await TestServer.open { server in
      let off = try await server.adminV2(
        "PATCH", path: "/config",
        body: [
          "signIn": ["email": ["enabled": false, "passwordRequired": false], "anonymous": [:]]
        ])
      #expect(off["signIn"] == ["allowDuplicateEmails": false, "email": ["enabled": false]])
      #expect(try await server.signIn("a@b.c").message == "PASSWORD_LOGIN_DISABLED")
      _ = try await server.adminV2("PATCH", path: "/config", body: [:])
      #expect(try await server.accounts("signUp", body: Self.password).status == 200)
    }
  }

  @Test func `is a project's own affair, and a tenant's`() async throws {
    try await TestServer.open { server in
      try await switchOff(
        server, mask: "signIn.email.enabled", signIn: ["email": ["enabled": false]])
      let made = try await server.adminV2(
        "POST", path: "/tenants", body: ["allowPasswordSignup": true])
      var body = Self.password.object ?? JSONObject()
      body["tenantId"] = made["tenantId"]
      #expect(try await server.accounts("signUp", body: .object(body)).status == 200)
    }
  }

  @Test func `is off where a mask of production has cleared it`() async throws {
    try await opening(true) { server in
      try await switchOff(server, mask: "signIn.anonymous", signIn: [:])
      #expect(try await server.accounts("signUp").message == "ADMIN_ONLY_OPERATION")
    }
  }
}
