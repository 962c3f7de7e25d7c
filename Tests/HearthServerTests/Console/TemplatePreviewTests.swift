import HearthTestSupport
import HearthWire
import Testing

@Suite struct `The preview of a mail` {
  private func preview(_ server: TestServer, body: JSON) async throws -> TestServer.Reply {
    try await server.emulator("POST", path: "templates:preview", body: body)
  }

  @Test func `shows a template that is not saved, and keeps nothing`() async throws {
    try await TestServer.open { server in
      let reply = try await preview(
        server,
        body: [
          "type": "PASSWORD_RESET",
          "template": ["subject": "Hello from us", "body": "Go to %LINK%", "bodyFormat": "HTML"],
        ])
      #expect(reply.status == 200 && reply["subject"] == "Hello from us", "\(reply.text)")
      #expect(reply["text"]?.string?.contains("oobCode=sample-code") == true)
      #expect(try await server.emulator("GET", path: "messages")["messages"] == [])
      let after = try await preview(server, body: ["type": "PASSWORD_RESET"])
      #expect(after["subject"] != "Hello from us")
      #expect(after["subject"]?.string?.isEmpty == false)
    }
  }

  @Test func `is in the language that is wanted`() async throws {
    try await TestServer.open { server in
      let english = try await preview(server, body: ["type": "VERIFY_EMAIL"])
      let german = try await preview(server, body: ["type": "VERIFY_EMAIL", "locale": "de"])
      #expect(german["locale"] == "de" && german["subject"] != english["subject"])
    }
  }

  @Test func `is refused for mails that there are not`() async throws {
    try await TestServer.open { server in
      for body in [["type": "NEWSLETTER"], ["kind": "PASSWORD_RESET"]] as [JSON] {
        let reply = try await preview(server, body: body)
        #expect(reply.status == 400)
      }
    }
  }
}
