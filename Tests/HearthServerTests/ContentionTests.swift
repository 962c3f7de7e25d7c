import HearthTestSupport
import HearthWire
import Testing

@Suite struct `Commits that others are in the way of` {
  private static let documents = "/v1/projects/demo-hearth/databases/(default)/documents"

  private static func commit(_ server: TestServer, number: Int) async throws -> TestServer.Reply {
    let name = "projects/demo-hearth/databases/(default)/documents/c/\(number)"
    return try await server.firestore.post(
      documents + ":commit",
      body: [
        "writes": [["update": ["name": .string(name), "fields": ["n": ["integerValue": "1"]]]]]
      ])
  }

  @Test func `are aborted as in production, by share and seed`() async throws {
    try await TestServer.open { server in
      var runs: [[Int]] = []
      for _ in 0..<2 {
        let set = try await server.emulator(
          "PUT", path: "faults",
          body: ["faults": [["effect": ["contention": .double(0.5)], "seed": 7]]])
        #expect(set["faults"]?.array?.first?["operation"] == "firestore.*", "\(set.text)")
        var statuses: [Int] = []
        for number in 0..<20 {
          let reply = try await Self.commit(server, number: number)
          statuses.append(reply.status)
          if reply.status == 409 {
            #expect(reply["error"]?["status"] == "ABORTED")
            #expect(
              reply["error"]?["message"]
                == "Too much contention on these documents. Please try again.")
          }
        }
        runs.append(statuses)
        // Reads are not commits.
        let read = try await server.firestore.get(Self.documents + "/c")
        #expect(read.status == 200)
      }
      #expect(runs[0] == runs[1])
      #expect(Set(runs[0]) == [200, 409])
    }
  }

  @Test func `are counted, and end`() async throws {
    try await TestServer.open { server in
      _ = try await server.emulator(
        "PUT", path: "faults", body: ["faults": [["effect": ["contention": true], "times": 1]]])
      #expect(try await Self.commit(server, number: 1).status == 409)
      #expect(try await Self.commit(server, number: 1).status == 200)
      let faults = try await server.emulator("GET", path: "faults")
      #expect(faults["faults"]?.array?.first?["hits"] == 1)
      #expect(faults["faults"]?.array?.first?["remaining"] == 0)
    }
  }

  @Test(
    arguments: [
      (["operation": "*.runQuery", "effect": ["contention": true]], "/operation"),
      (["effect": ["contention": 2]], "/effect/contention"),
      (["effect": ["contention": .double(0.5)], "share": .double(0.5)], "/share"),
      (["effect": ["contention": "often"]], "/effect/contention"),
    ] as [(JSON, String)])
  func `are asked for rightly`(rule: JSON, place: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.emulator("POST", path: "faults", body: rule)
      #expect(reply.status == 400 && reply.text.contains("\(place) "), "\(reply.text)")
    }
  }
}

@Suite struct `Quotas of Auth` {
  @Test func `of accounts that an address makes`() async throws {
    try await TestServer.open { server in
      try await server.setSwitches(["rateLimits": true, "signUpLimit": 3])
      _ = try await server.signUp("a@b.c")
      _ = try await server.signUp("b@b.c")
      #expect(try await server.accounts("signUp").status == 200)
      let body: JSON = ["email": "c@b.c", "password": "secret1"]
      for attempt in [
        try await server.accounts("signUp", body: body), try await server.accounts("signUp"),
      ] {
        #expect(attempt.status == 400)
        #expect(attempt.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
      }
      // Those of a server do not count.
      #expect(try await server.admin("/accounts", body: body).status == 200)
      _ = try await server.emulator("PATCH", path: "clock", body: ["advance": "1h"])
      _ = try await server.signUp("d@b.c")
    }
  }

  @Test func `of codes that are sent to phones`() async throws {
    try await TestServer.open { server in
      try await server.setSwitches(["rateLimits": true])
      let body: JSON = ["phoneNumber": "+16505550199"]
      for _ in 0..<150 {
        #expect(try await server.accounts("sendVerificationCode", body: body).status == 200)
      }
      let refused = try await server.accounts("sendVerificationCode", body: body)
      #expect(refused.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
    }
  }
}
