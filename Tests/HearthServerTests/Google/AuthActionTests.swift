import HearthServer
import HearthTestSupport
import HearthTransport
import HearthWire
import Testing

@Suite struct `The action page of production` {
  private static let place = "/__/auth/action"
  private static let template = "&newPassword=NEW_PASSWORD_HERE"

  @Test(arguments: [nil, "*/*", "text/html,application/json", "image/png"])
  func `is a page for everybody`(accept: String?) async throws {
    try await TestServer.open { server in
      let query = try await Self.reset(server)
      let page = try await server.send(
        "GET", path: Self.place + query, headers: Self.headers(accept))
      #expect(page.status == 200, "\(page.text)")
      #expect(page.text.contains("<form method=\"post\" action=\"/__/auth/action\" novalidate>"))
      let wrong = try await server.send(
        "GET", path: Self.place + "?mode=nope", headers: Self.headers(accept))
      #expect(wrong.status == 400 && wrong.text.contains("<h1>"))
      let form = [("Content-Type", "application/x-www-form-urlencoded")] + Self.headers(accept)
      let fields = query.dropFirst() + "&newPassword="
      let weak = try await server.send("POST", path: Self.place, body: fields + "x", headers: form)
      #expect(weak.text.contains("role=\"alert\""))
      let done = try await server.send(
        "POST", path: Self.place, body: fields + "another1", headers: form)
      #expect(done.status == 200 && done.text.contains("<h1>"))
      #expect(try await server.signIn("a@b.c", password: "another1").status == 200)
    }
  }

  @Test func `is JSON for programs that ask for JSON`() async throws {
    try await TestServer.open { server in
      let reply = try await server.send(
        "GET", path: Self.place + (try await Self.reset(server)),
        headers: Self.headers("application/json"))
      #expect(reply.status == 400)
      #expect(reply["authEmulator"]?["urlTemplate"]?.string?.hasSuffix(Self.template) == true)
    }
  }

  @Test(arguments: ["/emulator/action", place])
  func `shows programs a link as Google that a browser outside opens`(
    path: String
  ) async throws {
    try await GoogleServer.open { google in
      let server = google.server
      let reply = try await server.send(
        "GET", path: path + (try await Self.reset(server)),
        headers: Self.headers("application/json"))
      let own = "http://127.0.0.1:\(server.addresses.authPort)/emulator/action?mode=resetPassword"
      let link = try #require(reply["authEmulator"]?["urlTemplate"]?.string, "\(reply.text)")
      #expect(link.hasPrefix(own) && link.hasSuffix(Self.template), "\(link)")
    }
  }

  private static func headers(_ accept: String?) -> [(String, String)] {
    accept.map { [("Accept", $0)] } ?? []
  }

  /// The query of a link.
  private static func reset(_ server: TestServer) async throws -> String {
    _ = try await server.accounts("signUp", body: ["email": "a@b.c", "password": "secret1"])
    _ = try await server.accounts(
      "sendOobCode", body: ["requestType": "PASSWORD_RESET", "email": "a@b.c"])
    let codes = try await server.emulator("GET", path: "oobCodes")
    let code = codes["oobCodes"]?.array?.last?["oobCode"]?.string ?? ""
    return "?mode=resetPassword&apiKey=a&oobCode=\(code)"
  }
}
