import HearthServer
import HearthSettings
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization
import Testing

@Suite struct `The end of the server` {
  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  @Test func `is asked for by programs on this machine only`() async throws {
    let counter = Counter()
    try await TestServer.open {
      $0.onShutdown = { counter.value.add(1, ordering: .relaxed) }
    } body: { server in
      for headers in [
        [("Origin", "http://evil.example")], [("Origin", "http://localhost:4000")],
        [("Origin", "null")], [("Sec-Fetch-Site", "same-origin")], [("Sec-Fetch-Site", "none")],
        [("Host", "evil.example")], [("Host", "127.0.0.1.evil.example")],
      ] {
        let reply = try await server.send("POST", path: "/shutdown", headers: headers)
        #expect(reply.status == 403, "\(headers)")
      }
      #expect(try await server.send("GET", path: "/shutdown").status != 200)
      #expect(counter.value.load(ordering: .relaxed) == 0)
      let reply = try await server.send("POST", path: "/shutdown")
      #expect(reply.status == 200 && reply.text == "Shutting down...")
      #expect(counter.value.load(ordering: .relaxed) == 1)
    }
  }

  @Test func `is refused where the program that started it ends it`() async throws {
    try await TestServer.open { server in
      let reply = try await server.send("POST", path: "/shutdown")
      #expect(reply.status == 403)
    }
  }
}

@Suite struct `The other loopback address` {
  /// Where the machine has it, and nobody else has taken the port there.
  @Test func `is listened on at the same ports`() async throws {
    try await TestServer.open { server in
      guard
        let reply = try? await TestClient(port: server.addresses.authPort, host: "[::1]").get("/")
      else { return }
      #expect(reply.status == 200)
      let control = try await TestClient(port: server.addresses.consolePort, host: "[::1]")
        .get("/emulator/v1/projects/demo-hearth/messages")
      #expect(control.status == 200, "\(control.text)")
    }
  }
}

@Suite struct `Deleting many documents` {
  private static let root = "/v1/projects/demo-hearth/databases/(default)/documents/"
  private static let owner = [
    ("Authorization", "Bearer owner"), ("Content-Type", "application/json"),
  ]
  private static let all = ["a/1", "a/1/b/2", "a/1/b/2/c/3", "a/10", "b/1", "ab/1/b/4"]

  private func fill(_ server: TestServer) async throws {
    for path in Self.all {
      let reply = try await server.send(
        "PATCH", path: Self.root + path, body: #"{"fields":{}}"#, headers: Self.owner)
      #expect(reply.status == 200, "\(reply.text)")
    }
  }

  private func left(_ server: TestServer) async throws -> [String] {
    var left: [String] = []
    for path in Self.all
    where try await server.send("GET", path: Self.root + path, headers: Self.owner).status == 200 {
      left.append(path)
    }
    return left
  }

  @Test(arguments: [
    ("a/1", ["a/10", "b/1", "ab/1/b/4"]), ("a/1/b/2", ["a/1", "a/10", "b/1", "ab/1/b/4"]),
    ("a", ["b/1", "ab/1/b/4"]), ("a/1/b", ["a/1", "a/10", "b/1", "ab/1/b/4"]),
    ("ab", ["a/1", "a/1/b/2", "a/1/b/2/c/3", "a/10", "b/1"]), ("none", all), ("none/1", all),
  ])
  func `takes a document or a collection with what is below it`(
    _ path: String, _ left: [String]
  ) async throws {
    try await TestServer.open { server in
      try await fill(server)
      let reply = try await server.send("DELETE", path: "/emulator" + Self.root + path)
      #expect(reply.status == 200 && reply.json == [:])
      #expect(try await self.left(server) == left)
    }
  }

  @Test(arguments: [
    (
      #"{"database":"projects/demo-hearth/databases/(default)","collection_ids":["b"]}"#,
      ["a/1", "a/1/b/2/c/3", "a/10"]
    ),
    (
      #"{"database":"projects/demo-hearth/databases/(default)","collectionIds":["a","c"]}"#,
      ["a/1/b/2", "b/1", "ab/1/b/4"]
    ),
    (#"{"database":"projects/demo-hearth/databases/other","collectionIds":["a"]}"#, all),
    (#"{"database":"projects/demo-hearth/databases/(default)","namespace_ids":[""]}"#, []),
    (#"{"database":"projects/demo-hearth/databases/(default)","namespaceIds":["x"]}"#, all),
    (
      #"{"database":"projects/demo-hearth/databases/(default)","collectionIds":["a"],"namespaceIds":["x"]}"#,
      all
    ),
  ])
  func `takes collections by their ids`(_ body: String, _ left: [String]) async throws {
    for path in ["", "/databases/(default)"] {
      try await TestServer.open { server in
        try await fill(server)
        let reply = try await server.send(
          "POST", path: "/emulator/v1/projects/demo-hearth\(path):bulkDelete", body: body,
          headers: [("Content-Type", "application/json")])
        #expect(reply.status == 200 && reply.json == [:], "\(reply.text)")
        #expect(try await self.left(server) == left)
      }
    }
  }

  @Test func `takes more than one batch`() async throws {
    try await TestServer.open { server in
      let writes = (0..<1100).map {
        #"{"update":{"name":"projects/demo-hearth/databases/(default)/documents/m/d\#($0)"}}"#
      }
      let filled = try await server.send(
        "POST", path: "/v1/projects/demo-hearth/databases/(default)/documents:batchWrite",
        body: #"{"writes":[\#(writes.prefix(500).joined(separator: ","))]}"#, headers: Self.owner)
      #expect(filled.status == 200, "\(filled.text)")
      for rest in [500..<1000, 1000..<1100] {
        let reply = try await server.send(
          "POST", path: "/v1/projects/demo-hearth/databases/(default)/documents:batchWrite",
          body: #"{"writes":[\#(writes[rest].joined(separator: ","))]}"#, headers: Self.owner)
        #expect(reply.status == 200)
      }
      _ = try await server.send("DELETE", path: "/emulator\(Self.root)m")
      let listed = try await server.send("GET", path: Self.root + "m", headers: Self.owner)
      #expect(listed["documents"] == nil)
    }
  }

  @Test(arguments: [
    "{}", #"{"database":"x"}"#, "[]", #"{"collection_ids":["a"]}"#,
    #"{"database":"projects/demo-hearth/databases/(default)"}"#,
    #"{"database":"projects/demo-hearth/databases/(default)","collection_ids":[]}"#,
    #"{"database":"projects/p/databases/d","collection_ids":[1]}"#,
  ])
  func `refuses what it does not understand`(_ body: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.send(
        "POST", path: "/emulator/v1/projects/demo-hearth:bulkDelete", body: body,
        headers: [("Content-Type", "application/json")])
      #expect(reply.status == 400, "\(reply.text)")
    }
  }
}
