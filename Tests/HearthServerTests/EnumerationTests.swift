import HearthTestSupport
import HearthWire
import Testing

@Suite struct `With protection against enumeration` {
  @Test func `an address that nobody has leaves no trace and uses up attempts`() async throws {
    try await TestServer.open { server in
      try await server.setSwitches([
        "emailEnumerationProtection": true, "rateLimits": true, "passwordResetLimit": 2,
      ])
      _ = try await server.signUp("known@b.c")
      for email in ["known@b.c", "nobody@b.c"] {
        let body: JSON = ["requestType": "PASSWORD_RESET", "email": .string(email)]
        for _ in 0..<2 {
          let reply = try await server.accounts("sendOobCode", body: body)
          #expect(reply.status == 200 && reply["email"] == .string(email))
        }
        let refused = try await server.accounts("sendOobCode", body: body)
        #expect(refused.message?.hasPrefix("RESET_PASSWORD_EXCEED_LIMIT") == true)
      }
      let mails = try await server.emulator("GET", path: "messages")
      #expect(mails["messages"]?.array?.count == 2)
      #expect(!mails.text.contains("nobody"))
      let codes = try await server.emulator("GET", path: "oobCodes")
      #expect(codes["oobCodes"]?.array?.count == 2 && !codes.text.contains("nobody"))
      #expect(!server.log.lines.contains { $0.contains("nobody") })
      for email in ["known@b.c", "nobody@b.c"] {
        let reply = try await server.signIn(email, password: "wrong password")
        #expect(reply.message == "INVALID_LOGIN_CREDENTIALS")
      }
    }
  }
}
