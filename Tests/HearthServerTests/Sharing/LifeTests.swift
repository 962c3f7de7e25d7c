import Foundation
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import Testing

@Suite struct `A project of a shared server` {
  /// Until the answer is the one that is waited for; the suite has a time limit.
  private func until(_ status: Int, _ ask: () async throws -> Int) async throws {
    while try await ask() != status { await Task.yield() }
  }

  @Test(.timeLimit(.minutes(30)))
  func `is cleared at its end, and refused from then on`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one", ttl: "10m")
      let mine = SharedServer.bearer(token)
      let user = try await shared.signUp("ann@example.com", in: "demo-one")
      #expect(try await shared.write("a/1", in: "demo-one", "x", mine).status == 200)
      shared.server.clock.advance(by: .seconds(600))
      #expect(try await shared.signUp("bob@example.com", in: "demo-one").status == 403)
      #expect(try await shared.read("a/1", in: "demo-one").status == 403)
      #expect(try await shared.get("/emulator/v1/projects/demo-one/clock", mine).status == 401)
      let asUser = SharedServer.bearer(user["idToken"]?.string ?? "")
      #expect(try await shared.read("a/1", in: "demo-one", asUser).status == 403)
      // Its id is free when it is cleared, and the new one is empty.
      try await until(200) {
        try await shared.post(
          "/emulator/v1/projects", ["projectId": "demo-one"], SharedServer.operator
        ).status
      }
      #expect(try await shared.read("a/1", in: "demo-one").status == 404)
      let signIn = try await shared.accounts(
        "signInWithPassword", in: "demo-one",
        ["email": "ann@example.com", "password": "secret1"])
      #expect(signIn.status == 400)
      #expect(try await shared.get("/emulator/v1/projects/demo-one/clock", mine).status == 401)
    }
  }

  @Test func `lasts as long as the machine's clock says, whatever its own clock is`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one", ttl: "10m")
      let mine = SharedServer.bearer(token)
      for body: JSON in [["advance": "2h"], ["freeze": true]] {
        _ = try await shared.server.auth.send(
          "PATCH", path: "/emulator/v1/projects/demo-one/clock", body: body, headers: mine)
      }
      #expect(try await shared.get("/emulator/v1/projects/demo-one/clock", mine).status == 200)
      shared.server.clock.advance(by: .seconds(600))
      #expect(try await shared.get("/emulator/v1/projects/demo-one/clock", mine).status == 401)
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `takes its streams with it`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one")
      async let events = shared.get(
        "/emulator/v1/projects/demo-one/events", SharedServer.bearer(token))
      // The stream is open when it has written its line.
      try await until(200) {
        shared.server.log.lines.contains { $0.contains("hearth.events.watch demo-one 200") }
          ? 200 : 0
      }
      let deletion = try await shared.server.send(
        "DELETE", path: "/emulator/v1/projects/demo-one", headers: SharedServer.operator)
      #expect(deletion.status == 200, "\(deletion.text)")
      #expect(try await events.status == 200)
      let list = try await shared.get("/emulator/v1/projects", SharedServer.operator)
      #expect(list["projects"] == [])
    }
  }

  @Test func `is emptied by its own token, and closed by the operator's`() async throws {
    try await SharedServer.open { shared in
      let mine = SharedServer.bearer(try await shared.project("demo-one", quota: 10_000))
      _ = try await shared.write("a/1", in: "demo-one")
      let path = "/emulator/v1/projects/demo-one"
      #expect(try await shared.server.send("DELETE", path: path, headers: mine).status == 200)
      #expect(try await shared.read("a/1", in: "demo-one").status == 404)
      let list = try await shared.get("/emulator/v1/projects", mine)
      #expect(list["opened"]?.array?.first?["usedBytes"] == 0, "\(list.text)")
      let again = try await shared.post(
        "/emulator/v1/projects", ["projectId": "demo-one"], SharedServer.operator)
      #expect(again.status == 409)
    }
  }

  @Test func `is there again after a restart, and nobody reads its token from the files`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder + "/data"
      let tokens = Tokens()
      try await SharedServer.open {
        $0.dataDirectory = path
      } _: { shared in
        await tokens.keep(try await shared.project("demo-one", quota: 3000))
        #expect(try await shared.write("a/1", in: "demo-one").status == 200)
      }
      let token = await tokens.kept
      try await SharedServer.open {
        $0.dataDirectory = path
      } _: { shared in
        let mine = SharedServer.bearer(token)
        #expect(try await shared.read("a/1", in: "demo-one", mine).status == 200)
        let list = try await shared.get("/emulator/v1/projects", mine)
        #expect((list["opened"]?.array?.first?["usedBytes"]?.integer ?? 0) > 0, "\(list.text)")
        let large = String(repeating: "x", count: 4000)
        #expect(try await shared.write("a/2", in: "demo-one", large).status == 429)
      }
      #expect(try filesContaining(token, below: path).isEmpty)
    }
  }

  /// The files of a folder that have a text somewhere.
  private func filesContaining(_ text: String, below folder: String) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.contains("hearth.sqlite"))
    return names.filter { name in
      FileManager.default.contents(atPath: folder + "/" + name)?.range(of: Data(text.utf8)) != nil
    }
  }

  private actor Tokens {
    var kept = ""
    func keep(_ token: String) { kept = token }
  }
}

@Suite struct `The quota of a project` {
  private static let large = String(repeating: "x", count: 4000)

  @Test func `refuses what is too much as a whole, and lets deletions through`() async throws {
    try await SharedServer.open { shared in
      let mine = SharedServer.bearer(try await shared.project("demo-one", quota: 10_000))
      _ = try await shared.project("demo-two")
      for name in ["1", "2"] {
        let reply = try await shared.write("a/\(name)", in: "demo-one", Self.large, mine)
        #expect(reply.status == 200, "\(reply.text)")
      }
      let refused = try await shared.write("a/3", in: "demo-one", Self.large, mine)
      #expect(refused.status == 429 && refused["error"]?["status"] == "RESOURCE_EXHAUSTED")
      // Two writes in one commit: neither is kept.
      let root = "projects/demo-one/databases/(default)/documents/"
      let fields: JSON = ["text": ["stringValue": .string(Self.large)]]
      let commit = try await shared.server.firestore.send(
        "POST", path: "/v1/\(root.dropLast()):commit",
        body: [
          "writes": [
            ["update": ["name": .string(root + "a/4"), "fields": [:]]],
            ["update": ["name": .string(root + "a/5"), "fields": fields]],
          ]
        ], headers: mine)
      #expect(commit.status == 429, "\(commit.text)")
      for name in ["3", "4", "5"] {
        #expect(try await shared.read("a/\(name)", in: "demo-one", mine).status == 404)
      }
      #expect(try await shared.read("a/2", in: "demo-one", mine).status == 200)
      // Nobody else is held back.
      #expect(try await shared.write("a/1", in: "demo-two", Self.large).status == 200)
      // A smaller document, and a deletion, make room.
      #expect(try await shared.write("a/1", in: "demo-one", "x", mine).status == 200)
      #expect(try await shared.write("a/3", in: "demo-one", Self.large, mine).status == 200)
      let clear = try await shared.server.send(
        "DELETE", path: "/emulator/v1/projects/demo-one/databases/(default)/documents",
        headers: mine)
      #expect(clear.status == 200)
      let list = try await shared.get("/emulator/v1/projects", mine)
      #expect(list["opened"]?.array?.first?["usedBytes"] == 0, "\(list.text)")
    }
  }

  @Test func `counts accounts and mails too`() async throws {
    try await SharedServer.open { shared in
      let mine = SharedServer.bearer(try await shared.project("demo-one", quota: 4000))
      #expect(try await shared.signUp("ann@example.com", in: "demo-one").status == 200)
      var statuses: [Int] = []
      for _ in 0..<20 {
        let reply = try await shared.accounts(
          "sendOobCode", in: "demo-one",
          ["requestType": "PASSWORD_RESET", "email": "ann@example.com"])
        statuses.append(reply.status)
        if reply.status != 200 {
          #expect(reply["error"]?["status"] == "RESOURCE_EXHAUSTED", "\(reply.text)")
          #expect(reply.message?.hasPrefix("RESOURCE_EXHAUSTED") == true)
        }
      }
      #expect(statuses.first == 200 && statuses.last == 429, "\(statuses)")
      let mails = try await shared.get("/emulator/v1/projects/demo-one/messages", mine)
      #expect(mails["messages"]?.array?.count == statuses.count { $0 == 200 })
      let list = try await shared.get("/emulator/v1/projects", mine)
      #expect((list["opened"]?.array?.first?["usedBytes"]?.integer ?? 0) <= 4000)
      let cleared = try await shared.server.send(
        "DELETE", path: "/emulator/v1/projects/demo-one/messages", headers: mine)
      #expect(cleared.status == 200)
      #expect(try await shared.signUp("bob@example.com", in: "demo-one").status == 200)
    }
  }

  @Test func `counts what is imported, into new collections and into others`() async throws {
    try await SharedServer.open { shared in
      let mine = SharedServer.bearer(try await shared.project("demo-one", quota: 10_000))
      for (id, status) in [("1", 200), ("2", 200), ("3", 429)] {
        let reply = try await shared.server.send(
          "POST",
          path: "/emulator/v1/projects/demo-one/databases/(default):importDocuments?collection=a",
          body: #"[{"__id__": "\#(id)", "text": "\#(Self.large)"}]"#,
          headers: mine + [("Content-Type", "application/json")])
        #expect(reply.status == status, "\(reply.text)")
      }
      #expect(try await shared.read("a/2", in: "demo-one", mine).status == 200)
      #expect(try await shared.read("a/3", in: "demo-one", mine).status == 404)
      let clear = try await shared.server.send(
        "DELETE", path: "/emulator/v1/projects/demo-one/databases/(default)/documents",
        headers: mine)
      #expect(clear.status == 200)
      let list = try await shared.get("/emulator/v1/projects", mine)
      #expect(list["opened"]?.array?.first?["usedBytes"] == 0, "\(list.text)")
    }
  }

  @Test func `is right after snapshots come back`() async throws {
    try await SharedServer.open { shared in
      let mine = SharedServer.bearer(try await shared.project("demo-one", quota: 10_000))
      let used: @Sendable () async throws -> JSON? = {
        try await shared.get("/emulator/v1/projects", mine)["opened"]?.array?.first?["usedBytes"]
      }
      _ = try await shared.write("a/1", in: "demo-one", Self.large, mine)
      _ = try await shared.signUp("ann@example.com", in: "demo-one")
      let before = try await used()
      let path = "/emulator/v1/projects/demo-one/snapshots"
      #expect(try await shared.post(path, ["name": "seeded"], mine).status == 200)
      _ = try await shared.write("b/1", in: "demo-one", Self.large, mine)
      _ = try await shared.server.send(
        "DELETE", path: "/emulator/v1/projects/demo-one/databases/(default)/documents/a",
        headers: mine)
      let restored = try await shared.post("\(path)/seeded:restore", [:], mine)
      #expect(restored.status == 200, "\(restored.text)")
      #expect(try await used() == before)
      #expect(try await shared.read("a/1", in: "demo-one", mine).status == 200)
    }
  }
}
