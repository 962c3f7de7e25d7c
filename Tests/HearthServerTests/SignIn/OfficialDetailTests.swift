import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import NIOHTTP1
import Testing

/// Details in which Hearth follows the official emulator to the letter.
@Suite struct `A detail of the official emulator` {
  @Test func `is Vary at every answer`() async throws {
    try await TestServer.open { server in
      let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp"
      for (target, body) in [
        ("\(path)?key=a", "{}"), (path, "{}"), ("\(path)?key=a", "{"), ("/nowhere", "{}"),
      ] {
        for origin in [[], [("Origin", "https://app.example.com")]] {
          let reply = try await server.send(
            "POST", path: target, body: body,
            headers: [("Content-Type", "application/json")] + origin)
          #expect(reply.headers["vary"] == ["Origin"], "\(target) \(reply.status)")
          #expect(reply.headers["access-control-allow-origin"].isEmpty == origin.isEmpty)
        }
      }
    }
  }

  @Test func `is a slash after the API description`() async throws {
    try await TestServer.open { server in
      let plain = try await server.send("GET", path: "/emulator/openapi.json")
      let slash = try await server.send("GET", path: "/emulator/openapi.json/")
      #expect(slash.status == 200 && slash.text == plain.text)
    }
  }

  @Test(arguments: [false, true])
  func `is the salt of one's own account`(isProduction: Bool) async throws {
    try await TestServer.open({ $0.profile = isProduction ? .production : .emulator }) { server in
      let session = try await server.signUp("a@b.c")
      let own = try await server.accounts("lookup", body: ["idToken": session["idToken"] ?? .null])
      let account = own["users"]?.array?.first
      #expect((account?["salt"]?.string != nil) == !isProduction)
      let hash = account?["passwordHash"]?.string
      let found = try await server.admin(
        "/accounts:lookup", body: ["localId": [session["localId"] ?? .null]])
      let stored = found["users"]?.array?.first
      if !isProduction {
        #expect(stored?["salt"] == account?["salt"] && stored?["passwordHash"]?.string != hash)
      }
    }
  }
}
