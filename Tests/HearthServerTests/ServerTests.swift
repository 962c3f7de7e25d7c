import Foundation
import HearthOperations
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthTransport
import HearthWire
import NIOHTTP1
import Testing

@Suite struct `The server` {
  @Test func `says that it is ready`() async throws {
    try await TestServer.open { server in
      let reply = try await server.send("GET", path: "/")
      #expect(reply["authEmulator"]?["ready"] == true)
      #expect(try await server.send("HEAD", path: "/").text.isEmpty)
      #expect(try await server.send("POST", path: "/").status == 404)
      let firestore = try await server.send("GET", path: "/", port: server.addresses.firestorePort)
      #expect(firestore.text == "Ok")
      let console = try await server.send("GET", path: "/", port: server.addresses.consolePort)
      #expect(console.text.contains("<!doctype html>"))
    }
  }

  @Test(arguments: [
    "/nowhere", "/identitytoolkit.googleapis.com/v1/accounts:signUp/",
    "/identitytoolkit.googleapis.com/v1/accounts%3AsignUp",
    "/www.googleapis.com/identitytoolkit/v3/relyingparty/setProjectConfig",
  ])
  func `answers unknown paths with 404`(path: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.post(path, body: [:])
      #expect(reply.status == 404)
      #expect(reply.message == "Not Found")
      #expect(reply["error"]?["status"] == "NOT_FOUND")
    }
  }

  @Test func `answers a wrong method with 405 and what is allowed`() async throws {
    try await TestServer.open { server in
      let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=a"
      let reply = try await server.send("GET", path: path)
      #expect(reply.status == 405)
      #expect(reply.headers["Allow"] == ["POST"])
      #expect(reply["message"] == .string("Method GET not allowed for \(path)"))
    }
  }

  @Test func `reflects origins, on errors too`() async throws {
    try await TestServer.open { server in
      let origin = [("Origin", "https://app.example")]
      let reply = try await server.send("GET", path: "/nowhere", headers: origin)
      #expect(reply.headers["Access-Control-Allow-Origin"] == ["https://app.example"])
      #expect(reply.headers["Vary"] == ["Origin"])
      let preflight = try await server.send(
        "OPTIONS", path: "/anything",
        headers: origin + [
          ("Access-Control-Request-Headers", "content-type,x-client-version"),
          ("Access-Control-Request-Private-Network", "true"),
        ])
      #expect(preflight.status == 204)
      #expect(
        preflight.headers["Access-Control-Allow-Headers"] == ["content-type,x-client-version"])
      #expect(
        preflight.headers["Access-Control-Allow-Methods"] == ["GET,HEAD,PUT,PATCH,POST,DELETE"])
      #expect(preflight.headers["Access-Control-Allow-Private-Network"] == ["true"])
    }
  }

  @Test func `keeps its own endpoints from foreign pages and foreign names`() async throws {
    try await TestServer.open { server in
      let path = "/emulator/v1/projects/demo-hearth/messages"
      let foreign = try await server.send(
        "GET", path: path, headers: [("Origin", "https://evil.example")])
      #expect(foreign.status == 403)
      #expect(foreign.headers["Access-Control-Allow-Origin"].isEmpty)
      let rebound = try await server.send("GET", path: path, headers: [("Host", "evil.example")])
      #expect(rebound.status == 403)
      let local = try await server.send(
        "GET", path: path, headers: [("Origin", "http://localhost:3000")])
      #expect(local.status == 200)
      #expect(local.headers["Access-Control-Allow-Origin"] == ["http://localhost:3000"])
      let preflight = try await server.send(
        "OPTIONS", path: path,
        headers: [
          ("Origin", "https://evil.example"), ("Access-Control-Request-Method", "DELETE"),
        ])
      #expect(preflight.headers["Access-Control-Allow-Origin"].isEmpty)
      // What the official emulator exposes stays open.
      let codes = try await server.send(
        "GET", path: "/emulator/v1/projects/demo-hearth/oobCodes",
        headers: [("Origin", "https://evil.example"), ("Host", "evil.example")])
      #expect(codes.status == 200)
    }
  }

  @Test func `answers to its own pages under every name that it may have`() async throws {
    try await TestServer.open({ $0.allowedHosts = ["tester.example"] }) { server in
      func delete(from origin: String, host: String) async throws -> TestServer.Reply {
        try await server.send(
          "DELETE", path: "/emulator/v1/projects/demo-hearth/messages",
          headers: [("Origin", origin), ("Host", host)])
      }
      let own = try await delete(from: "http://tester.example:4000", host: "Tester.example:4000")
      #expect(own.status == 200)
      #expect(own.headers["Access-Control-Allow-Origin"] == ["http://tester.example:4000"])
      let other = try await delete(from: "http://tester.example:80", host: "tester.example:4000")
      #expect(other.status == 403)
      let rebound = try await delete(from: "http://evil.example:4000", host: "evil.example:4000")
      #expect(rebound.status == 403)
    }
  }

  @Test func `describes itself as OpenAPI`() async throws {
    try await TestServer.open { server in
      let document = try await server.send("GET", path: "/emulator/openapi.json")
      #expect(document["openapi"] == "3.0.3")
      #expect(document["paths"]?.object?.members.count ?? 0 > 80)
    }
  }
}

@Suite struct `The caller` {
  private static let lookup = "/identitytoolkit.googleapis.com/v1/accounts:lookup"

  @Test(
    arguments: [
      ("", [:], 403, "PERMISSION_DENIED"),
      ("?key=", [:], 403, "PERMISSION_DENIED"),
      ("?key=a&key=b", [:], 403, "PERMISSION_DENIED"),
      ("", ["Authorization": "Basic abc"], 403, "PERMISSION_DENIED"),
      ("?key=a", ["Authorization": "Bearer other"], 401, "UNAUTHENTICATED"),
      ("?key=a", ["Authorization": "Bearer  owner"], 401, "UNAUTHENTICATED"),
      ("", ["Authorization": "Bearer YA29.abc"], 401, "UNAUTHENTICATED"),
      ("", ["Authorization": "bEaReR oWnEr"], 200, nil),
      ("", ["Authorization": "Bearer ya29.abc"], 200, nil),
      ("?key=a", ["Authorization": "Basic abc"], 400, nil),
      ("", ["x-goog-api-key": "a"], 400, nil),
    ] as [(String, [String: String], Int, String?)])
  func `is known by bearer token or key`(
    query: String, headers: [String: String], status: Int, code: String?
  ) async throws {
    try await TestServer.open { server in
      let reply = try await server.post(
        Self.lookup + query, body: [:], headers: headers.map { ($0.key, $0.value) })
      #expect(reply.status == status, "\(reply.text)")
      #expect(reply["error"]?["status"]?.string == code)
      if status == 400 { #expect(reply.message == "MISSING_ID_TOKEN") }
    }
  }

  @Test func `needs a key, not a bearer token, for the token endpoint`() async throws {
    try await TestServer.open { server in
      let reply = try await server.post(
        "/securetoken.googleapis.com/v1/token", body: [:],
        headers: [("Authorization", "Bearer owner")])
      #expect(reply.status == 403)
    }
  }

  @Test func `with only a key cannot name a project`() async throws {
    try await TestServer.open { server in
      let message =
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
      let byBody = try await server.accounts("lookup", body: ["targetProjectId": "demo-hearth"])
      #expect(byBody.message == message)
      let byPath = try await server.post(
        "/identitytoolkit.googleapis.com/v1/projects/demo-hearth/accounts:lookup?key=a", body: [:])
      #expect(byPath.message == message)
    }
  }

  @Test func `selects a demo project by its key, and sees no other`() async throws {
    try await TestServer.open { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            let key = "demo-isolated-\(number)"
            let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=\(key)"
            let body: JSON = ["email": "same@example.com", "password": "secret1"]
            let reply = try await server.post(path, body: body)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(claims(reply["idToken"])["aud"] == .string(key))
            let lookup = try await server.post(
              "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=demo-elsewhere",
              body: ["idToken": reply["idToken"] ?? ""])
            #expect(lookup.message == "INVALID_ID_TOKEN")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test(arguments: [SingleProjectMode.noWarning, .warning, .error])
  func `is warned of other projects as the mode says`(mode: SingleProjectMode) async throws {
    try await TestServer.open({ $0.singleProjectMode = mode }) { server in
      let reply = try await server.post(
        "/identitytoolkit.googleapis.com/v1/projects/other/accounts:lookup", body: [:],
        headers: [("Authorization", "Bearer owner")])
      #expect(reply.status == (mode == .error ? 400 : 200))
      if mode == .error { #expect(reply.message?.contains("single project mode") == true) }
      #expect(server.log.lines.contains { $0.contains("other") } == (mode != .noWarning))
    }
  }

  @Test(arguments: [
    ("demo-9be6f0c1d2e3a4b5", false), ("demo-9BE6F0C1-D2E3-4A4B-8C5D-1E2F3A4B5C6D", false),
    ("demo-tests-9be6f0c1d2e3", false), ("demo-other", true), ("demo-abcdefabcdef", true),
    ("demo-9be6", true), ("9be6f0c1d2e3a4b5", true),
  ])
  func `is not warned of projects of tests`(project: String, isWarned: Bool) async throws {
    try await TestServer.open({ $0.singleProjectMode = .warning }) { server in
      let path = "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts"
      let owner = [("Authorization", "Bearer owner")]
      let made = try await server.post(path, body: ["email": "a@example.com"], headers: owner)
      #expect(made.status == 200)
      let sent = try await server.post(
        path + ":sendOobCode", body: ["requestType": "PASSWORD_RESET", "email": "a@example.com"],
        headers: owner)
      #expect(sent.status == 200)
      #expect(server.log.lines.contains { $0.contains("Multiple projectIds") } == isWarned)
      #expect(server.log.lines.contains { $0.contains("oobCode") } == isWarned)
    }
  }
}

@Suite struct `The route table` {
  @Test func `holds every operation of the API description`() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../fixtures/discovery/identitytoolkit-surface.json")
    let surface = try JSON.parse(Array(try Data(contentsOf: path)))
    let operations = try #require(surface["operations"]?.array)
    #expect(operations.count == 103)
    for operation in operations {
      let host =
        operation["host"]?.string == "(emulator)" ? "" : "/" + (operation["host"]?.string ?? "")
      let template = host + (operation["path"]?.string ?? "")
      let row = RouteCatalogue.all.first {
        $0.method == operation["method"]?.string && $0.template.description == template
      }
      let id = operation["id"]?.string ?? ""
      #expect(row?.id == id, "\(template)")
      let credentials = operation["credentials"]?.array?.count ?? 0
      #expect(
        row?.credential == (credentials == 3 ? .bearerOrKey : credentials == 2 ? .keyOnly : .open),
        "\(id)")
      if let message = operation["request"]?["application/json"]?.string {
        #expect(
          row?.body == .json(message: message) || row?.body == .jsonOrForm(message: message),
          "\(id)")
      }
    }
  }

  @Test func `has no row that another one hides`() {
    let table = RouteTable(RouteCatalogue.all)
    for row in RouteCatalogue.all {
      let path = row.template.description
        .replacing("{targetProjectId}", with: "p").replacing("{tenantId}", with: "t")
        .replacing(/\{[^}]*\}/, with: "x")
      guard case .found(let found, _) = table.match(method: row.method, path: Substring(path))
      else {
        Issue.record("\(row.method) \(path) is not found")
        continue
      }
      #expect(found.template == row.template && found.id == row.id, "\(path)")
    }
  }

  @Test func `answers 501 for what is not built`() async throws {
    try await TestServer.open { server in
      for row in RouteCatalogue.all where !row.isImplemented && row.method == "POST" {
        let path = row.template.description
          .replacing("{targetProjectId}", with: "demo-hearth")
          .replacing(/\{[^}]*\}/, with: "x")
        let reply = try await server.post(
          path + "?key=a", body: [:], headers: [("Authorization", "Bearer owner")])
        #expect(reply.status == 501, "\(path) \(reply.text)")
        #expect(reply.message == "\(row.id) is not implemented in the Auth Emulator.")
      }
    }
  }
}
