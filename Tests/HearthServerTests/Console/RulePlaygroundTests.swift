import HearthTestSupport
import HearthWire
import Testing

@Suite struct `The playground of rules` {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function isAdmin() {
          return get(/databases/$(database)/documents/roles/$(request.auth.uid)).data.admin == true;
        }
        match /users/{uid} {
          allow read: if request.auth != null && request.auth.uid == uid;
          allow write: if isAdmin() || request.resource.data.size() == 0;
        }
      }
    }
    """

  private func evaluate(
    _ server: TestServer, body: JSON, rules: String? = rules
  ) async throws -> TestServer.Reply {
    var object = body.object ?? JSONObject()
    if let rules { object["rules"] = .string(rules) }
    return try await server.emulator("POST", path: "rules:evaluate", body: .object(object))
  }

  @Test func `shows the value of each expression`() async throws {
    try await TestServer.open { server in
      let reply = try await evaluate(
        server, body: ["method": "get", "path": "users/ann", "auth": ["uid": "bob"]])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply["allowed"] == false)
      let allow = reply["allows"]?.array?.first
      #expect(allow?["line"] == 8 && allow?["outcome"] == "false")
      let tree = allow?["tree"]
      #expect(tree?["source"] == "request.auth != null && request.auth.uid == uid")
      #expect(tree?["value"] == "false" && tree?["type"] == "bool")
      let parts = tree?["children"]?.array ?? []
      #expect(parts.map { $0["value"]?.string } == ["true", "false"])
      #expect(
        parts.map { $0["source"]?.string } == [
          "request.auth != null", "request.auth.uid == uid",
        ])
      let values = (parts.last?["children"]?.array ?? []).map { $0["value"]?.string }
      #expect(values == ["\"bob\"", "\"ann\""])
      let start = parts.last?["range"]?["start"]
      let offset = start?["offset"]?.integer ?? 0
      #expect(Self.rules.dropFirst(Int(offset)).hasPrefix("request.auth.uid == uid"))
      #expect(start?["line"] == 8 && start?["column"] == 46)
    }
  }

  @Test func `says what was not evaluated`() async throws {
    try await TestServer.open { server in
      let reply = try await evaluate(
        server, body: ["method": "get", "path": "users/ann", "auth": .null])
      let parts = reply["allows"]?.array?.first?["tree"]?["children"]?.array ?? []
      #expect(parts.map { $0["evaluated"]?.bool } == [true, false])
    }
  }

  @Test func `shows the documents that were looked up`() async throws {
    try await TestServer.open { server in
      let documents = "/v1/projects/demo-hearth/databases/(default)/documents/"
      let made = try await server.send(
        "PATCH", path: documents + "roles/ann",
        body: #"{"fields":{"admin":{"booleanValue":true}}}"#,
        headers: [("Authorization", "Bearer owner"), ("Content-Type", "application/json")])
      #expect(made.status == 200)
      let write: JSON = [
        "method": "create", "path": "users/x", "auth": ["uid": "ann"], "data": ["a": 1],
      ]
      let reply = try await evaluate(server, body: write)
      #expect(reply["allowed"] == true && reply["matched"]?["line"] == 9, "\(reply.text)")
      let read = reply["reads"]?.array?.first
      #expect(read?["kind"] == "get" && read?["found"] == true && read?["line"] == 5)
      #expect(read?["path"] == "/databases/(default)/documents/roles/ann")
      var other = write.object ?? JSONObject()
      other["auth"] = ["uid": "bob"]
      let refused = try await evaluate(server, body: .object(other))
      #expect(refused["allowed"] == false)
      #expect(refused.text.contains("the document does not exist"))
      other["data"] = [:]
      #expect(try await evaluate(server, body: .object(other))["allowed"] == true)
    }
  }

  @Test func `takes the rules in force and does not count in their coverage`() async throws {
    try await TestServer.open { server in
      let open = try await evaluate(server, body: ["method": "get", "path": "a/b"], rules: nil)
      #expect(open["allowed"] == true)
      let files: JSON = ["rules": ["files": [["content": .string(Self.rules)]]]]
      let put = try await server.auth.send(
        "PUT", path: "/emulator/v1/projects/demo-hearth:securityRules", body: files)
      #expect(put.status == 200, "\(put.text)")
      let asked: JSON = ["method": "get", "path": "users/ann", "auth": ["uid": "ann"]]
      #expect(try await evaluate(server, body: asked, rules: nil)["allowed"] == true)
      var coverage = try await server.emulator("GET", path: "rules:coverage")
      #expect(line(8, coverage: coverage)?["hits"] == 0, "\(coverage.text)")
      _ = try await server.send(
        "GET", path: "/v1/projects/demo-hearth/databases/(default)/documents/users/ann")
      coverage = try await server.emulator("GET", path: "rules:coverage")
      #expect(
        line(8, coverage: coverage)?["hits"] == 1
          && line(8, coverage: coverage)?["values"] == ["false": 1])
    }
  }

  private func line(_ number: Int64, coverage: TestServer.Reply) -> JSON? {
    coverage["files"]?.array?.first?["lines"]?.array?.first { $0["line"] == .int(number) }
  }

  @Test func `says where rules cannot be read`() async throws {
    try await TestServer.open { server in
      let reply = try await evaluate(
        server, body: ["method": "get", "path": "a/b"],
        rules: "service cloud.firestore {\n  match x\n}")
      #expect(reply.status == 200)
      #expect(reply["errors"]?.array?.first?["line"] == 2, "\(reply.text)")
    }
  }

  @Test(
    arguments: [
      [:], ["method": "read", "path": "a/b"], ["method": "get", "path": "a"],
      ["method": "get", "path": "a/b", "auth": "ann"],
      ["method": "get", "path": "a/b", "time": "x"],
      ["method": "get", "path": "a/b", "data": 1], ["method": "get", "path": "a/b", "user": 1],
    ] as [JSON])
  func `refuses what it does not understand`(body: JSON) async throws {
    try await TestServer.open { server in
      let reply = try await evaluate(server, body: body)
      #expect(reply.status == 400)
    }
  }
}
