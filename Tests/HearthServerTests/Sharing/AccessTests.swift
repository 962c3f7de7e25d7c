import HearthOperations
import HearthServer
import HearthSharing
import HearthTestSupport
import HearthTransport
import HearthWire
import Testing

@Suite struct `A shared server` {
  private typealias Headers = SharedServer.Headers

  /// Calls that need the token of the project.
  private static let control: [(method: String, path: String)] = [
    ("GET", "/emulator/v1/projects/demo-one/messages"),
    ("GET", "/emulator/v1/projects/demo-one/messages/latest"),
    ("DELETE", "/emulator/v1/projects/demo-one/messages"),
    ("GET", "/emulator/v1/projects/demo-one/clock"),
    ("GET", "/emulator/v1/projects/demo-one/faults"),
    ("GET", "/emulator/v1/projects/demo-one/requests"),
    ("GET", "/emulator/v1/projects/demo-one/requests:har"),
    ("GET", "/emulator/v1/projects/demo-one/events"),
    ("GET", "/emulator/v1/projects/demo-one/seed"),
    ("GET", "/emulator/v1/projects/demo-one/accounts"),
    ("DELETE", "/emulator/v1/projects/demo-one/accounts"),
    ("GET", "/emulator/v1/projects/demo-one/config"),
    ("GET", "/emulator/v1/projects/demo-one/oobCodes"),
    ("GET", "/emulator/v1/projects/demo-one/verificationCodes"),
    ("GET", "/emulator/v1/projects/demo-one/devices"),
    ("GET", "/emulator/v1/projects/demo-one/personas"),
    ("GET", "/emulator/v1/projects/demo-one/snapshots"),
    ("GET", "/emulator/v1/projects/demo-one/rules"),
    ("GET", "/emulator/v1/projects/demo-one:securityRules"),
    ("GET", "/emulator/v1/projects/demo-one:ruleCoverage.html"),
    ("GET", "/emulator/v1/projects/demo-one/webhooks"),
    ("DELETE", "/emulator/v1/projects/demo-one/databases/(default)/documents"),
    ("DELETE", "/emulator/v1/projects/demo-one"),
    ("GET", "/mailbox?project=demo-one"), ("GET", "/mailbox/1?project=demo-one"),
    ("GET", "/v1/r/project/demo-one/firestore/indexes"),
  ]

  private static let ofOperator: [(path: String, body: JSON)] = [
    ("/emulator/v1/projects", ["projectId": "demo-more"]),
    ("/emulator/v1/projects/demo-one:export", ["path": "/tmp/nothing"]),
    ("/emulator/v1/projects/demo-one:import", ["path": "/tmp/nothing"]),
    ("/emulator/v1/projects/demo-one/snapshots/a:fork", ["to": "demo-two"]),
    ("/emulator/v1/keys:rotate", [:]), ("/shutdown", [:]),
  ]

  @Test func `answers control calls with the token of the project alone`() async throws {
    try await SharedServer.open { shared in
      let one = try await shared.project("demo-one")
      let two = try await shared.project("demo-two")
      let strangers: [(Headers, Int)] = [
        ([], 401), (SharedServer.bearer("owner"), 401),
        (SharedServer.bearer("hearth_" + String(repeating: "A", count: 43)), 401),
        (SharedServer.bearer(String(one.dropLast())), 401),
        ([("Authorization", "Basic \(one)")], 401), ([("X-Hearth-Client", "console")], 401),
        ([("Cookie", "hearth-token=\(two)")], 403), (SharedServer.bearer(two), 403),
      ]
      for (headers, status) in strangers {
        for call in Self.control {
          let reply = try await shared.server.send(call.method, path: call.path, headers: headers)
          #expect(reply.status == status, "\(call) \(headers): \(reply.text)")
        }
      }
      for port in [shared.server.addresses.consolePort, shared.server.addresses.firestorePort] {
        let reply = try await shared.server.send(
          "GET", path: "/emulator/v1/projects/demo-one/messages", port: port,
          headers: SharedServer.bearer("owner"))
        #expect(reply.status == 401)
      }
      let mine = SharedServer.bearer(one)
      #expect(try await shared.get("/emulator/v1/projects/demo-one/messages", mine).status == 200)
      let html = try await shared.get("/mailbox?project=demo-one", mine)
      #expect(html.status == 200 && html.text.contains("demo-one"))
      let list = try await shared.get("/emulator/v1/projects", mine)
      #expect(list["projects"] == ["demo-one"] && !list.text.contains("demo-two"))
    }
  }

  @Test func `asks for a token at every control endpoint`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-two")
      for route in RouteCatalogue.all where route.isControl {
        let path = route.template.description
          .replacing("{targetProjectId}", with: "demo-one")
          .replacing(/\{[^}]*\}/, with: "1")
        let nobody = try await shared.server.send(route.method, path: path)
        #expect(nobody.status == 401, "\(route.id) \(path): \(nobody.text)")
        guard path.contains("demo-one") else { continue }
        let other = try await shared.server.send(
          route.method, path: path, headers: SharedServer.bearer(token))
        #expect(other.status == 403, "\(route.id) \(path): \(other.text)")
      }
    }
  }

  @Test func `leaves files, keys and other projects to its operator`() async throws {
    try await SharedServer.open { shared in
      let one = try await shared.project("demo-one")
      for (headers, status) in [([], 401), (SharedServer.bearer(one), 403)] {
        for (path, body) in Self.ofOperator {
          let reply = try await shared.post(path, body, headers)
          #expect(reply.status == status, "\(path): \(reply.text)")
        }
      }
      let mine = SharedServer.bearer(one)
      let seed = try await shared.post(
        "/emulator/v1/projects/demo-one/seed", ["path": "/etc/passwd"], mine)
      #expect(seed.status == 403)
      let webhook = try await shared.server.auth.send(
        "PUT", path: "/emulator/v1/projects/demo-one/webhooks",
        body: ["webhooks": [["url": "http://127.0.0.1:9/", "events": ["*"]]]], headers: mine)
      #expect(webhook.status == 400, "\(webhook.text)")
      #expect(webhook.text.contains("not allowed"), "\(webhook.text)")
    }
  }

  @Test func `has clients of open projects do what they always do`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one")
      let user = try await shared.signUp("ann@example.com", in: "demo-one")
      #expect(user.status == 200, "\(user.text)")
      let refreshed = try await shared.server.auth.submit(
        "/securetoken.googleapis.com/v1/token?key=demo-one",
        form: "grant_type=refresh_token&refresh_token=\(user["refreshToken"]?.string ?? "")")
      #expect(refreshed.status == 200, "\(refreshed.text)")
      let mail = try await shared.accounts(
        "sendOobCode", in: "demo-one",
        ["requestType": "PASSWORD_RESET", "email": "ann@example.com"])
      #expect(mail.status == 200)
      let asUser = SharedServer.bearer(user["idToken"]?.string ?? "")
      #expect(try await shared.write("a/1", in: "demo-one", "x", asUser).status == 200)
      #expect(try await shared.read("a/1", in: "demo-one", asUser).status == 200)
      let message = try await shared.get(
        "/emulator/v1/projects/demo-one/messages/latest", SharedServer.bearer(token))
      let link = try #require(message["link"]?.string)
      let path = try #require(link.firstRange(of: "/emulator/action")?.lowerBound)
      #expect(try await shared.get(link[path...] + "&newPassword=secret2").status == 200)
      #expect(try await shared.get("/.well-known/jwks.json").status == 200)
      #expect(try await shared.get("/").status == 200)
    }
  }

  @Test func `refuses projects that were never opened, to everybody`() async throws {
    try await SharedServer.open { shared in
      let token = try await shared.project("demo-one")
      let key = try await shared.signUp("ann@example.com", in: "demo-other")
      #expect(key.status == 403 && key.message?.contains("demo-other is not open") == true)
      // The key of most apps names no project, so the default one is meant.
      #expect(try await shared.signUp("ann@example.com", in: "any").status == 403)
      for headers in [[], SharedServer.operator, SharedServer.bearer("owner")] {
        let reply = try await shared.write("a/1", in: "demo-other", "x", headers)
        #expect(reply.status == 403 && reply["error"]?["status"] == "PERMISSION_DENIED")
      }
      let control = try await shared.get(
        "/emulator/v1/projects/demo-other/clock", SharedServer.operator)
      #expect(control.status == 403)
      let page = try await shared.get("/emulator/action?mode=resetPassword&oobCode=x&apiKey=any")
      #expect(page.status == 403)
      // An ID token of one project opens no other one.
      _ = try await shared.project("demo-two")
      let user = try await shared.signUp("ann@example.com", in: "demo-one")
      let foreign = SharedServer.bearer(user["idToken"]?.string ?? "")
      #expect(try await shared.read("a/1", in: "demo-two", foreign).status == 401)
      #expect(
        try await shared.read("a/1", in: "demo-two", SharedServer.bearer(token)).status == 403)
    }
  }

  @Test func `takes the project's token, and not the word owner, for an administrator`()
    async throws
  {
    try await SharedServer.open { shared in
      let one = try await shared.project("demo-one")
      let two = try await shared.project("demo-two")
      let path = "/identitytoolkit.googleapis.com/v1/projects/demo-one/accounts"
      let body: JSON = ["email": "ann@example.com", "password": "secret1"]
      for (token, status) in [
        ("owner", 401), ("OWNER", 401), (two, 403), ("ya29.anything", 401),
        // With one more space.
        (" ya29.anything", 401), (" owner", 401), (one, 200),
      ] {
        let auth = try await shared.post(path, body, SharedServer.bearer(token))
        #expect(auth.status == status, "\(token): \(auth.text)")
        let firestore = try await shared.write(
          "a/1", in: "demo-one", "x", SharedServer.bearer(token))
        #expect(firestore.status == status, "\(token): \(firestore.text)")
        let databases = try await shared.server.firestore.get(
          "/v1/projects/demo-one/databases", headers: SharedServer.bearer(token))
        #expect(databases.status == status, "\(token): \(databases.text)")
      }
      // The two old batch calls name the project in the body only.
      let batch = try await shared.post(
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/downloadAccount",
        ["targetProjectId": "demo-one"], SharedServer.bearer(two))
      #expect(batch.status == 403)
      // Documents of another project, in a call that is for one's own.
      let commit = try await shared.server.firestore.send(
        "POST", path: "/v1/projects/demo-two/databases/(default)/documents:commit",
        body: [
          "writes": [
            ["delete": "projects/demo-one/databases/(default)/documents/a/1"]
          ]
        ], headers: SharedServer.bearer(two))
      #expect(commit.status == 400, "\(commit.text)")
      let many = try await shared.server.firestore.send(
        "POST", path: "/v1/projects/demo-two/databases/(default)/documents:batchGet",
        body: ["documents": ["projects/demo-one/databases/(default)/documents/a/1"]],
        headers: SharedServer.bearer(two))
      #expect(many.status == 400, "\(many.text)")
      let bulk = try await shared.server.firestore.send(
        "POST", path: "/emulator/v1/projects/demo-two:bulkDelete",
        body: ["database": "projects/demo-one/databases/(default)", "collectionIds": ["a"]],
        headers: SharedServer.bearer(two))
      #expect(bulk.status == 403, "\(bulk.text)")
      let usage = try await shared.server.firestore.get(
        "/emulator/v1/projects/demo-two:indexUsage?database=projects/demo-one/databases/(default)",
        headers: SharedServer.bearer(two))
      #expect(usage.status == 403, "\(usage.text)")
      #expect(try await shared.read("a/1", in: "demo-one", SharedServer.bearer(one)).status == 200)
    }
  }

  @Test func `takes the token in the path of SDKs that always send owner`() async throws {
    try await SharedServer.open { shared in
      let one = try await shared.project("demo-one")
      let path = "/identitytoolkit.googleapis.com/v1/projects/demo-one/accounts:query"
      let owner = SharedServer.bearer("owner")
      #expect(try await shared.post("/with-token/\(one)\(path)", [:], owner).status == 200)
      #expect(try await shared.post("/with-token/\(one)x\(path)", [:], owner).status == 401)
      #expect(try await shared.post("/with-token/\(path)", [:], owner).status == 404)
      let log = try await shared.get(
        "/emulator/v1/projects/demo-one/requests", SharedServer.bearer(one))
      #expect(log.text.contains("accounts:query") && !log.text.contains(one))
    }
  }

  @Test func `keeps pages of other origins out, with a token too`() async throws {
    try await SharedServer.open { shared in
      let one = try await shared.project("demo-one")
      let path = "/emulator/v1/projects/demo-one/messages"
      let foreign = ("Origin", "http://evil.example")
      #expect(try await shared.get(path, SharedServer.bearer(one) + [foreign]).status == 403)
      // A page of another port of this host has the cookie, but not the origin.
      let cookie = ("Cookie", "hearth-token=\(one)")
      for header in [
        ("Origin", "http://localhost:3000"), ("Origin", "null"),
        ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Site", "cross-site"), foreign,
      ] {
        let reply = try await shared.get(path, [cookie, header])
        #expect(reply.status == 401 || reply.status == 403, "\(header)")
        let owner = SharedServer.bearer("owner")
        let write = try await shared.write("a/1", in: "demo-one", "x", owner + [cookie, header])
        #expect(write.status == 401, "\(header): \(write.text)")
      }
      #expect(
        try await shared.get(path, [cookie, ("Sec-Fetch-Site", "same-origin")]).status == 200)
    }
  }

  @Test func `has no cost and no rows where nobody asked for it`() async throws {
    try await TestServer.open { server in
      let reply = try await server.post("/emulator/v1/projects", body: ["projectId": "demo-one"])
      #expect(reply.status == 400 && reply.message?.contains("--require-token") == true)
      #expect(try await server.send("GET", path: "/with-token/x/").status == 404)
      #expect(try await server.auth.submit("/console/signIn", form: "token=x").status == 404)
    }
  }
}
