import HearthServer
import HearthTestSupport
import HearthTransport
import HearthWire
import NIOHTTP1
import Testing

@Suite struct `Console and mailbox of a shared server` {
  @Test func `ask for the token, and keep it in a cookie that scripts cannot read`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one", ttl: "90s")
      let console = TestClient(port: shared.server.addresses.consolePort)
      for path in ["/", "/console/", "/mailbox?project=demo-one", "/mailbox/7?project=demo-one"] {
        let page = try await console.get(path)
        #expect(page.status == 401 && page.text.contains("name=\"token\""), "\(path)")
        #expect(
          page.headers.first(name: "Content-Security-Policy")?.contains("form-action") == true)
      }
      #expect(try await console.get("/console/assets/core/api.js").status == 200)
      let wrong = try await console.submit(
        "/console/signIn", form: "token=guess&continue=/console/")
      #expect(wrong.status == 401 && wrong.headers.first(name: "Set-Cookie") == nil)
      let signIn = try await console.submit(
        "/console/signIn", form: "token=\(token)&continue=%2Fmailbox%3Fproject%3Ddemo-one")
      #expect(signIn.status == 303, "\(signIn.text)")
      #expect(signIn.headers.first(name: "Location") == "/mailbox?project=demo-one")
      let cookie = try #require(signIn.headers.first(name: "Set-Cookie"))
      #expect(cookie.hasSuffix("; Path=/; Max-Age=90; HttpOnly; SameSite=Strict"))
      let own = [("Cookie", String(cookie.prefix { $0 != ";" }))]
      for path in ["/console/", "/mailbox?project=demo-one", "/emulator/v1/overview"] {
        #expect(try await console.get(path, headers: own).status == 200, "\(path)")
      }
      // The console says owner; the page's cookie says whose.
      let owner = own + SharedServer.bearer("owner")
      let accounts = try await console.post(
        "/identitytoolkit.googleapis.com/v1/projects/demo-one/accounts:query", body: [:],
        headers: owner)
      #expect(accounts.status == 200, "\(accounts.text)")
      // What a page does as nobody stays that.
      let rules: JSON = ["rules": ["files": [["content": .string(Self.closed)]]]]
      let set = try await console.send(
        "PUT", path: "/emulator/v1/projects/demo-one:securityRules", body: rules, headers: own)
      #expect(set.status == 200, "\(set.text)")
      let path = "/v1/projects/demo-one/databases/(default)/documents/a/1"
      #expect(try await console.get(path, headers: own).status == 403)
      #expect(try await console.get(path, headers: owner).status == 404)
      // A link of the mailbox is worth nothing without the cookie, or with another project's.
      let two = try await shared.project("demo-two")
      let stranger = try await console.get(
        "/mailbox?project=demo-one", headers: [("Cookie", "hearth-token=\(two)")])
      #expect(stranger.status == 403)
      shared.server.clock.advance(by: .seconds(90))
      #expect(try await console.get("/mailbox?project=demo-one", headers: own).status == 401)
    }
  }

  @Test func `give no cookie to other pages, and a secure one over TLS`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one")
      let console = TestClient(port: shared.server.addresses.consolePort)
      let elsewhere = try await console.submit(
        "/console/signIn", form: "token=\(token)&continue=//evil.example/")
      #expect(elsewhere.headers.first(name: "Location") == "/console/")
      let page = try await console.send(
        "POST", path: "/console/signIn", body: "token=\(token)",
        headers: [
          ("Content-Type", "application/x-www-form-urlencoded"), ("Origin", "http://localhost:1"),
        ])
      #expect(page.status == 403 && page.headers.first(name: "Set-Cookie") == nil)
      // TLS may end in front of the server.
      let proxied = try await console.send(
        "POST", path: "/console/signIn", body: "token=\(token)",
        headers: [
          ("Content-Type", "application/x-www-form-urlencoded"),
          ("Origin", "https://127.0.0.1:\(shared.server.addresses.consolePort)"),
        ])
      #expect(proxied.headers.first(name: "Set-Cookie")?.hasSuffix("; Secure") == true)
    }
  }

  private static let closed = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{d}/documents { match /{p=**} { allow read, write: if false; } }
    }
    """
}

@Suite struct `The log of a shared server` {
  @Test func `has a line for each control call, and no token`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one")
      _ = try await shared.get("/emulator/v1/projects/demo-one/clock", SharedServer.bearer(token))
      _ = try await shared.get("/emulator/v1/projects/demo-one/clock", SharedServer.bearer("guess"))
      _ = try await shared.post("/emulator/v1/keys:rotate", [:], SharedServer.bearer(token))
      _ = try await shared.write("a/1", in: "demo-one", "x", SharedServer.bearer(token))
      let lines = shared.server.log.lines
      let audits = lines.filter { $0.hasPrefix("control: ") }
      #expect(audits.count == 4, "\(audits)")
      #expect(audits.first == "control: operator hearth.projects.open - 200")
      #expect(audits.dropFirst().first?.hasPrefix("control: token ") == true)
      #expect(audits.contains("control: nobody hearth.clock.get demo-one 401"))
      #expect(audits.last?.hasSuffix(" hearth.keys.rotate - 403") == true)
      #expect(!lines.contains { $0.contains(token) || $0.contains(SharedServer.secret) })
    }
  }

  @Test func `of requests keeps no token either, and repeats with that of the caller`() async throws
  {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one")
      let mine = SharedServer.bearer(token)
      let path = "/identitytoolkit.googleapis.com/v1/projects/demo-one/accounts:query"
      #expect(try await shared.post(path, [:], mine).status == 200)
      let requests = "/emulator/v1/projects/demo-one/requests"
      let list = try await shared.get(requests, mine)
      let id = try #require(list["requests"]?.array?.first?["id"])
      let text = id.string ?? "\(id.integer ?? 0)"
      let one = try await shared.get("\(requests)/\(text)", mine)
      #expect(one.status == 200 && !one.text.contains(token))
      let again = try await shared.post("\(requests)/\(text):replay", [:], mine)
      #expect(again["status"] == 200, "\(again.text)")
    }
  }
}
