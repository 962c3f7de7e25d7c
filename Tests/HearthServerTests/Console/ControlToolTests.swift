import HearthServer
import HearthTestSupport
import HearthTime
import HearthTransport
import HearthWire
import Testing

@Suite struct `Presets of faults` {
  private func presets(_ server: TestServer) async throws -> [JSON] {
    try await server.auth.get("/emulator/v1/faultPresets")["presets"]?.array ?? []
  }

  @Test func `that are built in can all be used`() async throws {
    try await TestServer.open { server in
      let names = try await presets(server).compactMap { $0["name"]?.string }
      #expect(Set(names).isSuperset(of: ["slow-3g", "offline", "third-write-fails"]))
      for name in names {
        let reply = try await server.emulator("POST", path: "faultPresets/\(name):apply", body: [:])
        #expect(reply.status == 200 && reply["faults"]?.array?.isEmpty == false, "\(reply.text)")
      }
    }
  }

  @Test func `are kept and deleted`() async throws {
    try await TestServer.open { server in
      let path = "/emulator/v1/faultPresets/mine"
      let body: JSON = [
        "title": "Mine",
        "faults": [["operation": "identitytoolkit.accounts.signUp", "effect": ["status": 503]]],
      ]
      #expect(try await server.auth.send("PUT", path: path, body: body).status == 200)
      #expect(try await presets(server).last?["title"] == "Mine")
      let applied = try await server.emulator("POST", path: "faultPresets/mine:apply", body: [:])
      #expect(applied["faults"]?.array?.first?["hits"] == 0)
      #expect(try await server.accounts("signUp").status == 503)
      #expect(try await server.auth.send("DELETE", path: path).status == 200)
      #expect(try await server.auth.send("DELETE", path: path).status == 404)
      #expect(
        try await server.emulator("POST", path: "faultPresets/mine:apply", body: [:]).status == 404)
    }
  }

  @Test(arguments: [
    ("offline", #"{"faults":[{"operation":"*","effect":{"status":500}}]}"#),
    ("x", #"{"faults":[]}"#), ("x", #"{"faults":[{"operation":"*"}]}"#), ("x", "{}"),
    ("x", #"{"faults":[{"operation":"*","every":0,"effect":{"status":500}}]}"#),
    ("x", #"{"falts":[]}"#),
  ])
  func `are refused where they cannot be used`(name: String, body: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.send(
        "PUT", path: "/emulator/v1/faultPresets/\(name)", body: body,
        headers: [("Content-Type", "application/json")])
      #expect(reply.status == 400, "\(reply.text)")
    }
  }

  @Test func `let every third call fail`() async throws {
    try await TestServer.open { server in
      _ = try await server.emulator(
        "PUT", path: "faults",
        body: ["faults": [["operation": "*.signUp", "every": 3, "effect": ["status": 503]]]])
      var statuses: [Int] = []
      for _ in 1...7 { statuses.append(try await server.accounts("signUp").status) }
      #expect(statuses == [200, 200, 503, 200, 200, 503, 200])
    }
  }

  @Test func `are for operations that are listed`() async throws {
    try await TestServer.open { server in
      let operations = try await server.auth.get("/emulator/v1/operations")["operations"]?.array
      let ids = (operations ?? []).compactMap { $0["id"]?.string }
      #expect(ids.contains("identitytoolkit.accounts.signUp"))
      #expect(ids.contains("firestore.projects.databases.documents.list"))
      #expect(!ids.contains("hearth.faults.list"))
    }
  }
}

@Suite struct `What expires next` {
  @Test func `is listed by the project's clock`() async throws {
    try await TestServer.open { server in
      let ann = try await server.signUp("ann@example.com")
      _ = try await server.emulator("PATCH", path: "clock", body: ["advance": "5m"])
      _ = try await server.oobCode("PASSWORD_RESET", body: ["email": "ann@example.com"])
      let reply = try await server.emulator("GET", path: "clock:upcoming")
      #expect(reply.status == 200, "\(reply.text)")
      let upcoming = reply["upcoming"]?.array ?? []
      #expect(upcoming.map { $0["kind"] } == ["idToken", "oobCode"])
      #expect(upcoming.first?["localId"] == ann["localId"])
      #expect(upcoming.first?["seconds"] == 3300)
      #expect(upcoming.last?["detail"] == "PASSWORD_RESET")
      try await server.setSwitches(["codeExpiry": false])
      let others = try await server.emulator("GET", path: "clock:upcoming")["upcoming"]?.array
      #expect(others?.map { $0["kind"] } == ["idToken"])
      _ = try await server.emulator("PATCH", path: "clock", body: ["advance": "2h"])
      #expect(try await server.emulator("GET", path: "clock:upcoming")["upcoming"] == [])
      #expect(try await server.emulator("GET", path: "clock:upcoming?limit=0").status == 400)
    }
  }

  @Test func `has the documents that end by a policy`() async throws {
    try await TestServer.open { server in
      _ = try await server.emulator(
        "PATCH", path: "clock", body: ["now": "2030-01-01T00:00:00Z", "frozen": true])
      let indexes: JSON = [
        "indexes": [],
        "fieldOverrides": [
          [
            "collectionGroup": "c", "fieldPath": "end", "ttl": true,
            "indexes": [["order": "ASCENDING"]],
          ]
        ],
      ]
      _ = try await server.emulator("PUT", path: "databases/(default)/indexes", body: indexes)
      for (id, time) in [("a", "2030-01-01T00:00:30Z"), ("b", "2030-01-01T00:01:00Z")] {
        let path = "/v1/projects/demo-hearth/databases/(default)/documents/c/\(id)"
        _ = try await server.firestore.send(
          "PATCH", path: path, body: ["fields": ["end": ["timestampValue": .string(time)]]])
      }
      let upcoming = try await server.emulator("GET", path: "clock:upcoming")["upcoming"]
      #expect(
        upcoming == [
          [
            "kind": "documents", "at": "2030-01-01T00:00:30.000Z", "seconds": 30, "subject": "c",
            "detail": "end", "database": "(default)", "count": 2,
          ]
        ])
    }
  }
}

@Suite struct `The overview` {
  @Test func `has addresses, what was loaded and warnings`() async throws {
    try await TestServer.open { server in
      let reply = try await server.auth.get("/emulator/v1/overview")
      #expect(reply.status == 200, "\(reply.text)")
      let auth = "127.0.0.1:\(server.addresses.authPort)"
      #expect(reply["addresses"]?["auth"] == .string(auth))
      #expect(reply["defaultProject"] == "demo-hearth")
      let codes = (reply["warnings"]?.array ?? []).map { $0["code"] }
      #expect(codes == ["OPEN_RULES", "IN_MEMORY"])
      let foreign = try await server.auth.get(
        "/emulator/v1/overview", headers: [("Origin", "http://evil.example")])
      #expect(foreign.status == 403)
    }
  }
}

@Suite struct `Deleting a project` {
  @Test func `leaves nothing of it`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("ann@example.com")
      _ = try await server.oobCode("PASSWORD_RESET", body: ["email": "ann@example.com"])
      let document = "/v1/projects/demo-hearth/databases/(default)/documents/a/b"
      _ = try await server.send(
        "PATCH", path: document, body: #"{"fields":{}}"#,
        headers: [("Authorization", "Bearer owner"), ("Content-Type", "application/json")])
      _ = try await server.emulator("POST", path: "snapshots", body: ["name": "one"])
      try await server.setSwitches(["strictTenants": true])
      _ = try await server.emulator("PATCH", path: "clock", body: ["advance": "2h"])
      let other = try await server.post(
        "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo-other", body: [:])
      #expect(other.status == 200)
      let reply = try await server.auth.send("DELETE", path: "/emulator/v1/projects/demo-hearth")
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try await server.emulator("GET", path: "accounts")["recordsCount"] == "0")
      #expect(try await server.emulator("GET", path: "messages")["messages"] == [])
      #expect(
        try await server.emulator("GET", path: "databases")["databases"]
          == [["id": "(default)", "documents": 0]])
      #expect(try await server.emulator("GET", path: "snapshots")["snapshots"] == [])
      #expect(try await server.emulator("GET", path: "switches")["strictTenants"] == false)
      #expect(try await server.emulator("GET", path: "clock")["offset"] == "PT0S")
      let kept = try await server.auth.get("/emulator/v1/projects/demo-other/accounts")
      #expect(kept["recordsCount"] == "1")
    }
  }
}
