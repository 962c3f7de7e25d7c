import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `An address that is verified before it changes` {
  private func change(
    _ server: TestServer, session: JSON, to email: String
  ) async throws -> TestServer.Reply {
    let code = try await server.oobCode(
      "VERIFY_AND_CHANGE_EMAIL",
      body: ["idToken": session["idToken"] ?? .null, "newEmail": .string(email)])
    return try await server.accounts("update", body: ["oobCode": .string(code)])
  }

  private func mails(_ server: TestServer, to email: String) async throws -> [JSON] {
    let found = try await server.emulator("GET", path: "messages?type=RECOVER_EMAIL&to=\(email)")
    return found["messages"]?.array ?? []
  }

  @Test(arguments: [false, true])
  func `tells the old one, which can have it back`(isProduction: Bool) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }) { server in
      let session = try await server.signUp("old@b.c")
      let changed = try await change(server, session: session, to: "new@b.c")
      #expect(changed["email"] == "new@b.c", "\(changed.text)")
      #expect(try await mails(server, to: "new@b.c").isEmpty)
      let mail = try #require(try await mails(server, to: "old@b.c").first)
      let recovered = try await server.accounts(
        "update", body: ["oobCode": mail["oobCode"] ?? .null])
      #expect(recovered["email"] == "old@b.c", "\(recovered.text)")
      #expect(recovered["localId"] == session["localId"])
      #expect(try await server.signIn("old@b.c").json["localId"] == session["localId"])
    }
  }

  @Test(arguments: [false, true])
  func `tells the address that it had last`(isProduction: Bool) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }) { server in
      _ = try await server.signUp("one@b.c")
      for (old, new) in [("one@b.c", "two@b.c"), ("two@b.c", "three@b.c")] {
        server.clock.advance(by: .seconds(5))
        let session = try await server.signIn(old)
        _ = try await change(server, session: session.json, to: new)
        #expect(try await mails(server, to: old).count == 1)
      }
      let mail = try #require(try await mails(server, to: "two@b.c").first)
      let recovered = try await server.accounts(
        "update", body: ["oobCode": mail["oobCode"] ?? .null])
      #expect(recovered["email"] == "two@b.c", "\(recovered.text)")
    }
  }

  @Test func `is reported by the page of the link too`() async throws {
    try await TestServer.open { server in
      let session = try await server.signUp("old@b.c")
      let code = try await server.oobCode(
        "VERIFY_AND_CHANGE_EMAIL",
        body: ["idToken": session["idToken"] ?? .null, "newEmail": "new@b.c"])
      let page = try await server.send(
        "GET", path: "/emulator/action?mode=verifyAndChangeEmail&oobCode=\(code)&apiKey=a")
      #expect(page.status == 200)
      let mail = try #require(try await mails(server, to: "old@b.c").first)
      let back = try await server.send(
        "GET",
        path: "/emulator/action?mode=recoverEmail&apiKey=a&oobCode=\(mail["oobCode"]?.string ?? "")"
      )
      #expect(back.status == 200 && back.text.contains("old@b.c"), "\(back.text)")
    }
  }

  @Test(arguments: ["ann", "a b@c.d@e", "@"])
  func `has the form of an address`(email: String) async throws {
    try await TestServer.open { server in
      let session = try await server.signUp("old@b.c")
      let reply = try await server.accounts(
        "sendOobCode",
        body: [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": session["idToken"] ?? .null,
          "newEmail": .string(email),
        ])
      #expect(reply.message == "INVALID_NEW_EMAIL", "\(reply.text)")
    }
  }
}
