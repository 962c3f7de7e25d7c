import HearthServer
import HearthSettings
import HearthTestSupport
import HearthTime
import HearthTransport
import HearthWire
import Synchronization
import Testing

/// What those notice who use a project while it is restored.
@Suite(.timeLimit(.minutes(30))) struct `A restore` {
  private static func open(
    _ body: @Sendable (SnapshotProject) async throws -> Void
  ) async throws {
    try await TestServer.open { server in
      try await body(SnapshotProject(server: server, id: "demo-kept"))
    }
  }

  @Test func `takes back tokens that were issued since`() async throws {
    try await Self.open { project in
      let early = try await project.signUp("ann@example.com")
      project.server.clock.advance(by: .seconds(5))
      try await project.save("seeded")
      let late = try await project.signIn("ann@example.com")
      let stranger = try await project.signUp("bob@example.com")
      #expect(try await project.lookup(late).status == 200)
      try await project.restore("seeded")

      #expect(try await project.lookup(early).status == 200)
      #expect(try await project.refresh(early).status == 200)
      for session in [late, stranger] {
        let refused = try await project.refresh(session)
        #expect(refused.message == "TOKEN_EXPIRED", "\(refused.text)")
        #expect(try await read(project, session: session) == 401)
      }
      #expect(try await project.lookup(late).message == "TOKEN_EXPIRED")
      #expect(try await project.lookup(stranger).message == "USER_NOT_FOUND")
      #expect(try await read(project, session: early) == 404)

      // In the same second, with the same claims.
      let again = try await project.signIn("ann@example.com")
      #expect(try await project.lookup(again).status == 200)
      try await project.restore("seeded")
      #expect(try await project.lookup(again).message == "TOKEN_EXPIRED")
    }
  }

  @Test func `leaves a token good that is equal to one of before`() async throws {
    try await Self.open { project in
      _ = try await project.signUp("ann@example.com")
      let early = try await project.signIn("ann@example.com")
      try await project.save("seeded")
      _ = try await project.signIn("ann@example.com")
      try await project.restore("seeded")
      #expect(try await project.lookup(early).status == 200)
    }
  }

  @Test func `of a newer snapshot gives its tokens back`() async throws {
    try await Self.open { project in
      _ = try await project.signUp("ann@example.com")
      try await project.save("one")
      project.server.clock.advance(by: .seconds(5))
      let session = try await project.signIn("ann@example.com")
      try await project.save("two")
      try await project.restore("one")
      #expect(try await project.lookup(session).message == "TOKEN_EXPIRED")
      try await project.restore("two")
      #expect(try await project.lookup(session).status == 200)
      #expect(try await project.refresh(session).status == 200)
    }
  }

  @Test func `takes tokens back for good`() async throws {
    let kept = Mutex<[TestServer.Reply]>([])
    try await withTemporaryFolder { folder in
      for run in 1...2 {
        try await TestServer.open {
          $0.dataDirectory = folder
        } body: { server in
          let project = SnapshotProject(server: server, id: "demo-kept")
          if run == 1 {
            _ = try await project.signUp("ann@example.com")
            try await project.save("seeded")
            server.clock.advance(by: .seconds(5))
            let late = try await project.signIn("ann@example.com")
            let stranger = try await project.signUp("bob@example.com")
            kept.withLock { $0 = [late, stranger] }
          }
          // The second time without a token that was issued in this run.
          try await project.restore("seeded")
          try await expectRefusals(project, sessions: kept.withLock { $0 })
        }
        try await TestServer.open {
          $0.dataDirectory = folder
        } body: { server in
          let project = SnapshotProject(server: server, id: "demo-kept")
          try await expectRefusals(project, sessions: kept.withLock { $0 })
        }
      }
    }
  }

  private func expectRefusals(
    _ project: SnapshotProject, sessions: [TestServer.Reply]
  ) async throws {
    #expect(try await project.lookup(sessions[0]).message == "TOKEN_EXPIRED")
    for session in sessions {
      #expect(try await project.refresh(session).message == "TOKEN_EXPIRED")
      #expect(try await read(project, session: session) == 401)
    }
  }

  private func read(_ project: SnapshotProject, session: TestServer.Reply) async throws -> Int {
    try await project.server.send(
      "GET", path: "/v1/projects/demo-kept/databases/(default)/documents/a/none",
      port: project.server.addresses.firestorePort,
      headers: [("Authorization", "Bearer \(session["idToken"]?.string ?? "")")]
    ).status
  }

  @Test func `does not end a wait for mail, and brings no old mail as a new one`() async throws {
    try await Self.open { project in
      _ = try await project.signUp("ann@example.com")
      try await project.sendResetCode(to: "ann@example.com")
      try await project.save("one")
      let old = try await project.control("GET", rest: "messages/latest")["id"]?.string ?? ""
      try await project.control("DELETE", rest: "messages")
      async let mail = project.control(
        "GET", rest: "messages/latest?to=ann@example.com&after=\(old)&wait=60s")
      // Nobody sees from outside when the wait has begun. In both orders the answer is the same.
      try await project.restore("one")
      let mails = try await project.control("GET", rest: "messages")["messages"]?.array ?? []
      #expect(mails.map { $0["id"]?.string } == [old])
      try await project.sendResetCode(to: "ann@example.com")
      let found = try await mail["id"]?.string
      #expect(found.flatMap(Int.init) ?? 0 > Int(old) ?? 0)
    }
  }

  @Test func `loses transactions that are open`() async throws {
    try await Self.open { project in
      let place = "/v1/projects/demo-kept/databases/(default)/documents"
      let port = project.server.addresses.firestorePort
      try await project.set("a/1", value: "x")
      try await project.save("one")
      let begun = try await project.call(
        "POST", path: place + ":beginTransaction", body: [:], port: port)
      let id = begun["transaction"] ?? ""
      try await project.call(
        "POST", path: place + ":batchGet",
        body: [
          "documents": ["projects/demo-kept/databases/(default)/documents/a/1"],
          "transaction": id,
        ], port: port)
      try await project.restore("one")
      let reply = try await project.call(
        "POST", path: place + ":commit", body: ["transaction": id, "writes": []], port: port,
        status: 409)
      #expect(reply["error"]?["status"] == "ABORTED")
      // Nobody has to wait for what it had locked.
      try await project.set("a/1", value: "y")
    }
  }

  /// Each writer changes a document and an account's name... both are of the snapshot or neither.
  @Test func `is all or nothing for those who read meanwhile`() async throws {
    try await Self.open { project in
      let place = "/v1/projects/demo-kept/databases/(default)/documents"
      let port = project.server.addresses.firestorePort
      func write(_ value: String) async throws {
        let writes: [JSON] = (1...5).map { index in
          [
            "update": [
              "name": .string("projects/demo-kept/databases/(default)/documents/a/\(index)"),
              "fields": ["value": ["stringValue": .string(value)]],
            ]
          ]
        }
        try await project.call(
          "POST", path: place + ":commit", body: ["writes": .array(writes)], port: port)
      }
      try await write("old")
      try await project.save("one")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for round in 1...20 {
            try await write("new \(round)")
            try await project.restore("one")
          }
        }
        for _ in 1...3 {
          group.addTask {
            for _ in 1...40 {
              let reply = try await project.call(
                "POST", path: place + ":runQuery",
                body: ["structuredQuery": ["from": [["collectionId": "a"]]]], port: port)
              let values = (reply.json.array ?? []).compactMap {
                $0["document"]?["fields"]?["value"]?["stringValue"]?.string
              }
              #expect(values.count == 5 && Set(values).count == 1, "\(values)")
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await project.value("a/1") == "old")
    }
  }
}
