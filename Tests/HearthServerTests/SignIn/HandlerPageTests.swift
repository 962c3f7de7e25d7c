import HearthTestSupport
import HearthWire
import Testing

/// What tests of browsers look for on the page of a provider.
@Suite struct `The page of a provider` {
  private func page(_ server: TestServer, more: String = "") async throws -> String {
    try await server.send(
      "GET", path: "/emulator/auth/handler?apiKey=a&providerId=google.com&appName=x\(more)"
    ).text
  }

  @Test(arguments: ["en", "de", "ar", "ja"])
  func `has one title in all languages`(language: String) async throws {
    try await TestServer.open { server in
      let text = try await page(server, more: "&hl=\(language)")
      #expect(text.contains("<title>Auth Emulator IDP Login Widget</title>"))
      #expect(text.contains("function toggleForm()"))
    }
  }

  @Test func `marks what a test presses, fills in and picks`() async throws {
    try await TestServer.open { server in
      let claims: JSON = ["sub": "raw\"1", "email": "ann@example.com", "name": "Ann"]
      let post = FormFields([
        .init(name: "providerId", value: "google.com"), .init(name: "id_token", value: claims.text),
      ])
      _ = try await server.accounts(
        "signInWithIdp", body: ["requestUri": "http://localhost", "postBody": .string(post.text)])
      let text = try await page(server)
      for name in [
        "accounts", "account", "new-account", "generate", "email", "display-name", "screen-name",
        "photo", "sign-in", "back", "error",
      ] {
        #expect(text.contains("data-testid=\"\(name)\""), "\(name)")
      }
      #expect(text.contains("data-email=\"ann@example.com\" data-id-token="))
      #expect(text.contains("data-uid=\"raw&quot;1\""))
    }
  }
}
