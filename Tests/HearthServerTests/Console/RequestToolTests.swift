import HearthTestSupport
import HearthWire
import Testing

@Suite struct `The tools of the request log` {
  private static let documents = "/v1/projects/demo-hearth/databases/(default)/documents/"

  private func list(_ server: TestServer, query: String = "") async throws -> [JSON] {
    let reply = try await server.emulator("GET", path: "requests?\(query)")
    #expect(reply.status == 200, "\(reply.text)")
    return reply["requests"]?.array ?? []
  }

  private func setRules(_ server: TestServer) async throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /users/{uid} {
            allow read: if request.auth != null && request.auth.uid == uid;
          }
        }
      }
      """
    let reply = try await server.auth.send(
      "PUT", path: "/emulator/v1/projects/demo-hearth:securityRules",
      body: ["rules": ["files": [["name": "my.rules", "content": .string(rules)]]]])
    #expect(reply.status == 200, "\(reply.text)")
  }

  @Test func `show the answer without secrets`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("ann@example.com")
      let call = try #require(try await list(server, query: "operation=*.signUp").first)
      #expect(call["response"]?["email"] == "ann@example.com")
      #expect(call["response"]?["idToken"] == "(hidden)")
      #expect(call["response"]?["refreshToken"] == "(hidden)")
      #expect(call["body"]?["password"] == "(hidden)")
    }
  }

  @Test func `show the rule that refused, with its values`() async throws {
    try await TestServer.open { server in
      try await setRules(server)
      _ = try await server.send("GET", path: Self.documents + "users/ann")
      let call = try #require(try await list(server, query: "error=PERMISSION_DENIED").first)
      #expect(call["shortPath"] == "users/ann")
      #expect(call["rule"]?["file"] == "my.rules" && call["rule"]?["line"] == 5)
      #expect(call["rule"]?["allows"] == nil)
      let id = call["id"]?.integer ?? 0
      let whole = try await server.emulator("GET", path: "requests/\(id)")
      let tree = whole["rule"]?["allows"]?.array?.first?["tree"]
      #expect(tree?["children"]?.array?.first?["value"] == "false", "\(whole.text)")
      #expect(tree?["children"]?.array?.first?["source"] == "request.auth != null")
    }
  }

  @Test(arguments: [
    ("", 3), ("status=failed", 1), ("status=2xx", 2), ("status=400", 1), ("error=EMAIL_EXISTS", 1),
    ("operation=*signUp", 2), ("method=GET", 1), ("q=users/ANN", 1), ("q=nothing", 0),
    ("caller=owner", 1), ("limit=2", 2), ("after=2", 1), ("fault=true", 0),
  ])
  func `choose calls`(query: String, count: Int) async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("ann@example.com")
      _ = try await server.accounts(
        "signUp", body: ["email": "ann@example.com", "password": "secret1"])
      _ = try await server.send(
        "GET", path: Self.documents + "users", headers: [("Authorization", "Bearer owner")])
      // The path is looked through as it was sent.
      if query.hasPrefix("q=users") {
        _ = try await server.send("GET", path: Self.documents + "users/ann")
      }
      #expect(try await list(server, query: query).count == count, "\(query)")
    }
  }

  @Test func `wait for a call`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("ann@example.com")
      let first = try #require(try await list(server, query: "wait=60s").last?["id"]?.integer)
      async let found = list(server, query: "operation=*.lookup&after=\(first)&wait=60s")
      // Nobody sees from outside when the wait has begun. In both orders the answer is the same.
      _ = try await server.signUp("bob@example.com")
      _ = try await server.accounts("lookup", body: ["idToken": "x"])
      let operations = try await found.map { $0["operation"]?.string }
      #expect(operations == ["identitytoolkit.accounts.lookup"])
    }
  }

  @Test func `wait for as long as they are asked to`() async throws {
    try await TestServer.open { server in
      #expect(try await list(server, query: "wait=0s").isEmpty)
      async let found = list(server, query: "wait=10s")
      await server.clock.advance(by: .seconds(10), whenWaitingFor: [.seconds(10)])
      let calls = try await found
      #expect(calls.isEmpty)
    }
  }

  @Test(arguments: ["status=bad", "status=9x", "limit=many", "after=-1", "wait=x", "wait=1h"])
  func `refuse what they do not understand`(query: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.emulator("GET", path: "requests?\(query)")
      #expect(reply.status == 400)
    }
  }

  @Test func `make a call again`() async throws {
    try await TestServer.open { server in
      let path = Self.documents + "users/ann"
      let write = try await server.send(
        "PATCH", path: path, body: #"{"fields":{"n":{"integerValue":"1"}}}"#,
        headers: [("Authorization", "Bearer owner"), ("Content-Type", "application/json")])
      #expect(write.status == 200)
      _ = try await server.send("DELETE", path: path, headers: [("Authorization", "Bearer owner")])
      let id = try await list(server, query: "method=PATCH").first?["id"]?.integer ?? 0
      let reply = try await server.emulator("POST", path: "requests/\(id):replay", body: [:])
      #expect(reply.status == 200 && reply["status"] == 200, "\(reply.text)")
      #expect(reply["response"]?["fields"]?["n"] == ["integerValue": "1"])
      let calls = try await list(server, query: "method=PATCH")
      #expect(calls.last?["replayOf"] == .int(id) && calls.last?["id"] == reply["id"])
      #expect(
        try await server.emulator("POST", path: "requests/99999:replay", body: [:]).status == 404)
    }
  }

  @Test func `do not make a call again whose body was too long`() async throws {
    try await TestServer.open { server in
      let name = String(repeating: "x", count: 9000)
      _ = try await server.accounts("signUp", body: ["displayName": .string(name)])
      let call = try #require(try await list(server).last)
      #expect(call["canReplay"] == false && call["bodyTooLong"] == true)
      let id = call["id"]?.integer ?? 0
      #expect(
        try await server.emulator("POST", path: "requests/\(id):replay", body: [:]).status == 400)
    }
  }

  @Test func `write an HTTP archive without secrets`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("ann@example.com")
      _ = try await server.send(
        "GET", path: Self.documents + "a/b", headers: [("Authorization", "Bearer secret-token")])
      let reply = try await server.emulator("GET", path: "requests:har")
      let entries = reply["log"]?["entries"]?.array ?? []
      #expect(reply["log"]?["version"] == "1.2" && entries.count == 2)
      #expect(entries.first?["request"]?["method"] == "POST")
      #expect(entries.first?["response"]?["status"] == 200)
      #expect(!reply.text.contains("secret-token") && !reply.text.contains("secret1"))
      let refreshToken = try await server.signIn("ann@example.com")["refreshToken"]?.string ?? ""
      #expect(!(try await server.emulator("GET", path: "requests:har")).text.contains(refreshToken))
    }
  }
}
