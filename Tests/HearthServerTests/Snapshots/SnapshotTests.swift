import Foundation
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthTransport

@Suite struct `Snapshots` {
  private static func open(
    _ body: @Sendable (SnapshotProject) async throws -> Void
  ) async throws {
    try await TestServer.open { server in
      try await body(SnapshotProject(server: server, id: "demo-kept"))
    }
  }

  @Test func `hold documents, accounts, mails, codes and settings`() async throws {
    try await Self.open { project in
      try await project.set("a/1", value: "old")
      try await project.set("b/1/c/1", value: "far", database: "second")
      _ = try await project.signUp("ann@example.com")
      try await project.sendResetCode(to: "ann@example.com")
      try await project.control("PATCH", rest: "switches", body: ["rateLimits": true])
      try await project.control("PATCH", rest: "clock", body: ["advance": "1h", "frozen": true])
      try await project.control(
        "PUT", rest: "faults",
        body: [
          "faults": [["operation": "*.signUp", "effect": ["error": "UNAVAILABLE"], "times": 2]]
        ])
      #expect(try await project.signUp("bob@example.com").status == 503)
      try await project.call(
        "POST", path: "/identitytoolkit.googleapis.com/v2/projects/demo-kept/tenants",
        body: ["displayName": "Tenant"])
      try await project.save("seeded")
      let before = try await project.dump()

      try await project.set("a/1", value: "new")
      try await project.set("a/2", value: "more")
      try await project.clearDocuments(database: "second")
      #expect(try await project.signUp("bob@example.com").status == 503)
      #expect(try await project.signUp("bob@example.com").status == 200)
      try await project.clearAccounts()
      try await project.control("DELETE", rest: "messages")
      try await project.control("PATCH", rest: "switches", body: ["rateLimits": false])
      try await project.control("DELETE", rest: "clock")
      #expect(try await project.dump() != before)

      for _ in 1...2 {
        try await project.restore("seeded")
        #expect(try await project.dump() == before)
      }
      #expect(try await project.value("b/1/c/1", database: "second") == "far")
      #expect(try await project.signIn("ann@example.com").status == 200)
      // The fault has acted once, as it had then.
      #expect(try await project.signUp("bob@example.com").status == 503)
      #expect(try await project.signUp("bob@example.com").status == 200)
    }
  }

  @Test func `hold the rules that were set`() async throws {
    try await Self.open { project in
      func set(_ condition: String) async throws {
        let source = """
          rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {
          match /{all=**} { allow read, write: if \(condition); } } }
          """
        try await project.call(
          "PUT", path: "/emulator/v1/projects/demo-kept:securityRules",
          body: ["rules": ["files": [["name": "firestore.rules", "content": .string(source)]]]],
          port: project.server.addresses.firestorePort)
      }
      func read() async throws -> Int {
        try await project.server.send(
          "GET", path: "/v1/projects/demo-kept/databases/(default)/documents/a/1",
          port: project.server.addresses.firestorePort
        ).status
      }
      try await project.set("a/1", value: "x")
      try await project.save("open")
      try await set("false")
      #expect(try await read() == 403)
      try await project.save("shut")
      try await project.restore("open")
      #expect(try await read() == 200)
      try await project.restore("shut")
      #expect(try await read() == 403)
    }
  }

  @Test func `leave the clock where that is asked for`() async throws {
    try await Self.open { project in
      try await project.save("early")
      try await project.control("PATCH", rest: "clock", body: ["advance": "1h"])
      let late = try await project.control("GET", rest: "clock")["now"]
      try await project.snapshots("POST", rest: "/early:restore", body: ["keepClock": true])
      #expect(try await project.control("GET", rest: "clock")["now"] == late)
      try await project.restore("early")
      #expect(try await project.control("GET", rest: "clock")["now"] != late)
    }
  }

  @Test func `stand side by side, and are listed, replaced and deleted`() async throws {
    try await Self.open { project in
      for name in ["one", "two", "three"] {
        try await project.set("a/1", value: name)
        try await project.set("a/\(name)", value: name)
        try await project.save(name)
      }
      func names() async throws -> [String] {
        let list = try await project.snapshots("GET")
        return (list["snapshots"]?.array ?? []).compactMap { $0["name"]?.string }
      }
      #expect(try await names() == ["one", "two", "three"])
      for name in ["one", "three", "two", "one", "two", "three"] {
        try await project.restore(name)
        #expect(try await project.value("a/1") == name)
        #expect((try await project.value("a/three") != nil) == (name == "three"))
      }
      try await project.snapshots("DELETE", rest: "/two")
      #expect(try await names() == ["one", "three"])
      try await project.snapshots("POST", rest: "/two:restore", status: 404)
      try await project.restore("one")
      #expect(try await project.value("a/1") == "one")
      try await project.snapshots("POST", rest: "", body: ["name": "three"], status: 409)
      try await project.snapshots("POST", rest: "", body: ["name": "three", "replace": true])
      try await project.set("a/1", value: "else")
      try await project.restore("three")
      #expect(try await project.value("a/1") == "one")
      for name in try await names() { try await project.snapshots("DELETE", rest: "/\(name)") }
      #expect(try await names() == [])
      #expect(try await project.value("a/1") == "one")
      try await project.save("again")
    }
  }

  @Test func `become projects that go their own way`() async throws {
    try await Self.open { project in
      try await project.set("a/1", value: "then")
      _ = try await project.signUp("ann@example.com")
      try await project.sendResetCode(to: "ann@example.com")
      let tenant = try await project.call(
        "POST", path: "/identitytoolkit.googleapis.com/v2/projects/demo-kept/tenants",
        body: ["displayName": "Tenant"])
      try await project.call(
        "PATCH", path: "/v1/projects/demo-kept/databases/(default)/documents/a/2",
        body: [
          "fields": [
            "to": [
              "referenceValue": "projects/demo-kept/databases/(default)/documents/a/1"
            ]
          ]
        ], port: project.server.addresses.firestorePort)
      try await project.save("seeded")
      try await project.set("a/1", value: "now")

      try await project.snapshots("POST", rest: "/seeded:fork", body: ["to": "demo-fork"])
      let fork = SnapshotProject(server: project.server, id: "demo-fork")
      #expect(try await fork.value("a/1") == "then")
      #expect(try await project.value("a/1") == "now")
      #expect(try await fork.signIn("ann@example.com").status == 200)
      let mails = try await fork.control("GET", rest: "messages")["messages"]?.array ?? []
      #expect(mails.count == 1)
      let reference = try await fork.call(
        "GET", path: "/v1/projects/demo-fork/databases/(default)/documents/a/2",
        port: project.server.addresses.firestorePort)
      #expect(
        reference["fields"]?["to"]?["referenceValue"]?.string
          == "projects/demo-fork/databases/(default)/documents/a/1")
      let id = tenant["name"]?.string?.split(separator: "/").last ?? ""
      let copy = try await fork.call(
        "GET", path: "/identitytoolkit.googleapis.com/v2/projects/demo-fork/tenants/\(id)")
      #expect(copy["name"]?.string == "projects/demo-fork/tenants/\(id)")

      try await fork.set("a/1", value: "elsewhere")
      try await fork.clearAccounts()
      #expect(try await project.value("a/1") == "now")
      #expect(try await project.signIn("ann@example.com").status == 200)
      try await project.restore("seeded")
      #expect(try await project.value("a/1") == "then")
      #expect(try await fork.value("a/1") == "elsewhere")
      for taken in ["demo-fork", "demo-kept"] {
        try await project.snapshots(
          "POST", rest: "/seeded:fork", body: ["to": .string(taken)], status: 409)
      }
    }
  }

  @Test(
    arguments: [
      ("POST", "", ["name": ""]), ("POST", "", ["name": ".x"]), ("POST", "", ["name": "a/b"]),
      ("POST", "", ["name": .string(String(repeating: "x", count: 65))]), ("POST", "", [:]),
      ("POST", "", ["name": "x", "extra": 1]), ("POST", "", ["name": "x", "replace": "yes"]),
      ("POST", "/known:fork", [:]), ("POST", "/known:fork", ["to": "a b"]),
      ("POST", "/known:restore", ["keepClock": 1]),
    ] as [(String, String, JSON)])
  func `refuse what they cannot use`(
    _ method: String, _ rest: String, _ body: JSON
  ) async throws {
    try await Self.open { project in
      try await project.save("known")
      try await project.snapshots(method, rest: rest, body: body, status: 400)
    }
  }

  @Test func `refuse web pages, and names that are not known`() async throws {
    try await Self.open { project in
      let reply = try await project.server.send(
        "POST", path: "/emulator/v1/projects/demo-kept/snapshots", body: #"{"name":"x"}"#,
        headers: [("Origin", "http://evil.example"), ("Content-Type", "application/json")])
      #expect(reply.status == 403)
      for (method, rest) in [
        ("POST", "/x:restore"), ("DELETE", "/x"), ("POST", "/x:fork"),
      ] {
        try await project.snapshots(method, rest: rest, body: ["to": "demo-x"], status: nil)
        let body: JSON? = rest.hasSuffix("fork") ? ["to": "demo-x"] : nil
        try await project.snapshots(method, rest: rest, body: body, status: 404)
      }
    }
  }

  @Test func `have a bound in bytes that the refusal names`() async throws {
    try await TestServer.open {
      $0.limits.snapshots = 4000
    } body: { server in
      let project = SnapshotProject(server: server, id: "demo-kept")
      try await project.save("small")
      try await project.set("a/1", value: String(repeating: "x", count: 5000))
      let reply = try await project.snapshots(
        "POST", rest: "", body: ["name": "large"], status: 429)
      #expect(reply.message?.contains("--snapshot-limit") == true)
      try await project.restore("small")
      #expect(try await project.value("a/1") == nil)
    }
  }

  @Test func `are there after a restart with data`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "hearth-snapshots-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for run in 1...2 {
      try await TestServer.open {
        $0.dataDirectory = folder.path
      } body: { server in
        let project = SnapshotProject(server: server, id: "demo-kept")
        if run == 1 {
          try await project.set("a/1", value: "old")
          _ = try await project.signUp("ann@example.com")
          try await project.control("PATCH", rest: "clock", body: ["advance": "1h"])
          try await project.save("seeded")
          try await project.clearDocuments()
          try await project.clearAccounts()
        } else {
          #expect(try await project.value("a/1") == nil)
          try await project.restore("seeded")
          #expect(try await project.value("a/1") == "old")
          #expect(try await project.signIn("ann@example.com").status == 200)
          let offset = try await project.control("GET", rest: "clock")["offset"]
          #expect(offset == "PT1H")
        }
      }
    }
  }
}
