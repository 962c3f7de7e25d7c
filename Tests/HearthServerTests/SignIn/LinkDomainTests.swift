import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `A domain for the links of mails` {
  private func reset(
    _ server: TestServer, more: KeyValuePairs<String, JSON?>
  ) async throws -> TestServer.Reply {
    var body = JSONObject([
      "requestType": "PASSWORD_RESET", "email": "a@b.c", "canHandleCodeInApp": true,
      "continueUrl": "https://demo-hearth.web.app/",
    ])
    body.merge(JSONObject(more))
    return try await server.accounts("sendOobCode", body: .object(body))
  }

  @Test func `is refused by production where it is not the project's`() async throws {
    try await TestServer.open({ $0.profile = .production }) { server in
      _ = try await server.signUp("a@b.c")
      for domain in ["links.example.com", "demo-hearth.web.app", "Demo-Hearth.firebaseapp.com"] {
        let refusal = try await reset(server, more: ["linkDomain": .string(domain)]).message
        #expect(refusal?.hasPrefix("INVALID_HOSTING_LINK_DOMAIN : ") == true, "\(domain)")
      }
      #expect(
        try await reset(server, more: ["dynamicLinkDomain": "a.page.link"]).message
          == "INVALID_DYNAMIC_LINK_DOMAIN")
      #expect(try await reset(server, more: ["linkDomain": ""]).status == 200)
      _ = try await server.adminV2(
        "PATCH", path: "/config?updateMask=authorized_domains",
        body: ["authorizedDomains": ["demo-hearth.web.app", "links.example.com"]])
      #expect(try await reset(server, more: ["linkDomain": "links.example.com"]).status == 200)
    }
  }

  @Test func `is passed over by default, as by the official emulator`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let both: KeyValuePairs<String, JSON?> = [
        "linkDomain": "links.example.com", "dynamicLinkDomain": "a.page.link",
      ]
      #expect(try await reset(server, more: both).status == 200)
    }
  }
}
