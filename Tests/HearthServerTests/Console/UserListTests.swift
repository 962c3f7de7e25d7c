import HearthTestSupport
import HearthTokens
import HearthWire
import Testing

@Suite struct `The list of users` {
  private func fill(_ server: TestServer) async throws {
    let reply = try await server.admin(
      "/accounts:batchCreate",
      body: [
        "users": [
          [
            "localId": "u1", "email": "ann@example.com", "displayName": "Ann Äther",
            "createdAt": "1000", "lastLoginAt": "9000", "emailVerified": true,
          ],
          [
            "localId": "u2", "email": "bob@example.org", "disabled": true, "createdAt": "3000",
            "lastLoginAt": "1000",
          ],
          ["localId": "u3", "phoneNumber": "+15550100123", "createdAt": "2000"],
          [
            "localId": "U4", "createdAt": "4000", "displayName": "annex",
            "providerUserInfo": [["providerId": "google.com", "rawId": "g1"]],
          ],
        ]
      ])
    #expect(reply.status == 200, "\(reply.text)")
  }

  private func ids(_ server: TestServer, query: String) async throws -> [String] {
    let reply = try await server.emulator("GET", path: "accounts?\(query)")
    #expect(reply.status == 200, "\(reply.text)")
    return (reply["userInfo"]?.array ?? []).compactMap { $0["localId"]?.string }
  }

  @Test(arguments: [
    ("", "U4 u2 u3 u1"), ("q=ann", "U4 u1"), ("q=ANN", "U4 u1"), ("q=%C3%A4TH", "u1"),
    ("q=550100", "u3"), ("q=u4", "U4"), ("q=example.", "u2 u1"), ("q=nobody", ""),
    ("disabled=true", "u2"), ("disabled=false&order=asc", "u1 u3 U4"), ("verified=true", "u1"),
    ("provider=google.com", "U4"), ("provider=phone", "u3"), ("provider=nothing", ""),
    ("sort=lastSignIn", "u1 u2 U4 u3"), ("sort=uid", "u1 u2 u3 U4"),
    ("sort=email&order=desc&q=example", "u2 u1"), ("limit=2&offset=1", "u2 u3"),
    ("factor=none", "U4 u2 u3 u1"), ("factor=any", ""), ("tenantId=other", ""),
    ("tenantId=*", "U4 u2 u3 u1"),
  ])
  func `finds parts of what is known of them`(query: String, found: String) async throws {
    try await TestServer.open { server in
      try await fill(server)
      #expect(try await ids(server, query: query).joined(separator: " ") == found, "\(query)")
    }
  }

  @Test(arguments: ["created", "lastSignIn", "uid", "email"], ["asc", "desc"])
  func `is read page by page, each account once`(sort: String, order: String) async throws {
    try await TestServer.open { server in
      try await fill(server)
      var seen: [String] = []
      var token: String?
      repeat {
        let reply = try await server.emulator(
          "GET", path: "accounts?limit=1&sort=\(sort)&order=\(order)&pageToken=\(token ?? "")")
        #expect(reply["recordsCount"] == "4")
        seen += (reply["userInfo"]?.array ?? []).compactMap { $0["localId"]?.string }
        token = reply["nextPageToken"]?.string
      } while token != nil && seen.count < 10
      #expect(seen == (try await ids(server, query: "sort=\(sort)&order=\(order)")))
      #expect(seen.count == 4)
    }
  }

  @Test func `follows what happens to the accounts`() async throws {
    try await TestServer.open { server in
      try await fill(server)
      #expect(try await ids(server, query: "q=ann") == ["U4", "u1"])
      _ = try await server.signUp("joanna@example.com")
      _ = try await server.admin("/accounts:update", body: ["localId": "u1", "displayName": "Zoe"])
      _ = try await server.admin("/accounts:delete", body: ["localId": "U4"])
      let found = try await ids(server, query: "q=ann&sort=email")
      #expect(found.count == 2 && found.first == "u1", "\(found)")
      #expect(try await ids(server, query: "q=zoe") == ["u1"])
      _ = try await server.emulator("DELETE", path: "accounts")
      #expect(try await ids(server, query: "").isEmpty)
    }
  }

  @Test func `can be taken back to a snapshot`() async throws {
    try await TestServer.open { server in
      try await fill(server)
      #expect(try await ids(server, query: "").count == 4)
      _ = try await server.emulator("POST", path: "snapshots", body: ["name": "before"])
      _ = try await server.signUp("new@example.com")
      _ = try await server.admin("/accounts:delete", body: ["localId": "u1"])
      #expect(try await ids(server, query: "q=u1").isEmpty)
      let reply = try await server.emulator("POST", path: "snapshots/before:restore", body: [:])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try await ids(server, query: "") == ["U4", "u2", "u3", "u1"])
    }
  }

  @Test(arguments: [
    "disabled=perhaps", "sort=age", "order=up", "limit=0", "limit=x", "offset=-1", "factor=fax",
    "pageToken=%21", "sort=uid&pageToken=WyJjcmVhdGVkIiwxLCIiLDFd",
  ])
  func `refuses what it does not understand`(query: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.emulator("GET", path: "accounts?\(query)")
      #expect(reply.status == 400, "\(query) \(reply.text)")
    }
  }
}

@Suite struct `Many users at once` {
  private func bulk(_ server: TestServer, body: JSON) async throws -> TestServer.Reply {
    try await server.emulator("POST", path: "accounts:bulk", body: body)
  }

  @Test func `are changed by id or by filter`() async throws {
    try await TestServer.open { server in
      var ids: [JSON] = []
      for index in 1...5 {
        ids.append(try await server.signUp("user\(index)@example.com")["localId"] ?? .null)
      }
      var reply = try await bulk(
        server, body: ["action": "disable", "localIds": [ids[0], ids[1], "nobody"]])
      #expect(reply["changed"] == "2", "\(reply.text)")
      reply = try await bulk(server, body: ["action": "disable", "filter": ["q": "example"]])
      #expect(reply["changed"] == "3")
      #expect(try await server.signIn("user3@example.com").text.contains("USER_DISABLED"))
      reply = try await bulk(server, body: ["action": "enable", "filter": ["disabled": true]])
      #expect(reply["changed"] == "5")
      reply = try await bulk(server, body: ["action": "delete", "filter": ["q": "user2@"]])
      #expect(reply["changed"] == "1")
      reply = try await bulk(server, body: ["action": "delete", "all": true])
      #expect(reply["changed"] == "4")
    }
  }

  @Test func `lose their sessions`() async throws {
    try await TestServer.open { server in
      let session = try await server.signUp("ann@example.com")
      _ = try await bulk(server, body: ["action": "revokeSessions", "filter": ["q": "ann"]])
      let reply = try await server.post(
        "/securetoken.googleapis.com/v1/token?key=any",
        body: ["grantType": "refresh_token", "refreshToken": session["refreshToken"] ?? .null])
      #expect(reply.status == 400, "\(reply.text)")
    }
  }

  @Test(
    arguments: [
      ["action": "disable"], ["action": "ban", "all": true],
      ["action": "delete", "filter": [:]], ["action": "delete", "filter": ["name": "x"]],
      ["action": "delete", "localIds": "u1"], ["action": "delete", "everybody": true],
    ] as [JSON])
  func `are not changed by mistake`(body: JSON) async throws {
    try await TestServer.open { server in
      let reply = try await bulk(server, body: body)
      #expect(reply.status == 400)
    }
  }
}

@Suite struct `Acting as a user` {
  @Test func `gives tokens with other claims and leaves the account`() async throws {
    try await TestServer.open { server in
      let ann = try await server.signUp("ann@example.com")
      let id = ann["localId"] ?? .null
      _ = try await server.admin(
        "/accounts:update", body: ["localId": id, "customAttributes": #"{"level":1,"beta":true}"#])
      let reply = try await server.emulator(
        "POST", path: "accounts:actAs",
        body: ["localId": id, "claims": ["level": 2, "beta": .null]])
      #expect(reply.status == 200, "\(reply.text)")
      let token = claims(reply["idToken"])
      #expect(token["sub"] == id && token["level"] == 2 && token["beta"] == nil)
      #expect(token["firebase"]?["sign_in_provider"] == "password")
      let found = try await server.accounts("lookup", body: ["idToken": reply["idToken"] ?? .null])
      #expect(found.status == 200, "\(found.text)")
      #expect(
        found["users"]?.array?.first?["customAttributes"] == #"{"level":1,"beta":true}"#)
      let refreshed = try await server.post(
        "/securetoken.googleapis.com/v1/token?key=any",
        body: ["grantType": "refresh_token", "refreshToken": reply["refreshToken"] ?? .null])
      #expect(claims(refreshed["id_token"])["level"] == 2, "\(refreshed.text)")
    }
  }

  @Test func `is not for web pages of others, nor for users who are not there`() async throws {
    try await TestServer.open { server in
      let path = "/emulator/v1/projects/demo-hearth/accounts:actAs"
      let foreign = try await server.post(
        path, body: ["localId": "x"], headers: [("Origin", "http://evil.example")])
      #expect(foreign.status == 403)
      #expect(try await server.post(path, body: ["localId": "x"]).status == 400)
      #expect(
        try await server.post(path, body: ["localId": "x", "claims": ["sub": "y"]]).status == 400)
    }
  }
}
