import HearthServer
import HearthSettings
import HearthTestSupport
import HearthWire
import NIOHTTP1
import Testing

@testable import HearthTransport

@Suite struct `A request body` {
  private static let path = "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=a"

  @Test(arguments: [
    (#"{"email": true}"#, "/email must be string"),
    (#"{"email": null}"#, "/email must be string"),
    (#"{"returnOobLink": "true"}"#, "/returnOobLink must be boolean"),
    (#"{"requestType": "NOPE"}"#, "/requestType must be equal to one of the allowed values"),
    (#"[1]"#, " must be object"),
  ])
  func `of a wrong type is refused with a pointer`(body: String, rule: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.send(
        "POST", path: Self.path, body: body, headers: [("Content-Type", "application/json")])
      #expect(reply.status == 400)
      #expect(reply.message == "Invalid JSON payload received. \(rule)")
      #expect(reply["error"]?["status"] == "INVALID_ARGUMENT")
    }
  }

  @Test(arguments: ["{", "nope", "null", "12", "\"text\"", "{\"a\":1}x"])
  func `that is no JSON object is a parse error`(body: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.send(
        "POST", path: Self.path, body: body, headers: [("Content-Type", "application/json")])
      #expect(reply.status == 400)
      #expect(reply.message?.hasPrefix("Invalid JSON payload received. ") == true)
      #expect(reply["error"]?["errors"]?.array?.first?["reason"] == "parseError")
    }
  }

  @Test(arguments: [
    (#"{"x":["# + String(repeating: "0,", count: 500_000) + "0]}", "There are too many values"),
    (
      "{" + (0...10_000).map { #""k\#($0)":1"# }.joined(separator: ",") + "}",
      "An object has too many members"
    ),
  ])
  func `that would fill the memory is refused`(body: String, reason: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.send(
        "POST", path: Self.path, body: body, headers: [("Content-Type", "application/json")])
      #expect(reply.status == 400)
      #expect(reply.message?.hasPrefix("Invalid JSON payload received. \(reason)") == true)
    }
  }

  @Test func `may be absent, and then is an empty object`() async throws {
    try await TestServer.open { server in
      let reply = try await server.send("POST", path: Self.path)
      #expect(reply.message == "MISSING_REQ_TYPE")
    }
  }

  @Test func `comes in any case, with enum indexes and numbers`() async throws {
    try await TestServer.open { server in
      _ = try await server.signUp("a@b.c")
      let bodies = [
        #"{"request_type": 1, "email": "a@b.c"}"#, #"{"RequestType": "1", "EMAIL": "a@b.c"}"#,
        #"{"requestType": "PASSWORD_RESET", "email": "A@B.C"}"#,
      ]
      for body in bodies {
        let reply = try await server.send(
          "POST", path: Self.path, body: body,
          headers: [("Content-Type", "application/json; charset=utf-8")])
        #expect(reply["email"] == "a@b.c", "\(body) \(reply.text)")
      }
      let number = try await server.accounts("signInWithPassword", body: ["email": 12])
      #expect(number.message == "INVALID_EMAIL")
    }
  }

  @Test(arguments: ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"])
  func `needs the right content type, before anybody asks for a key`(type: String) async throws {
    try await TestServer.open { server in
      let path = "/identitytoolkit.googleapis.com/v1/accounts:lookup"
      let reply = try await server.send(
        "POST", path: path, body: "{}", headers: [("Content-Type", type)])
      #expect(reply.status == 400)
      #expect(reply.message == "Invalid content-type: \(type)")
      #expect(reply["error"]?["errors"]?.array?.first?["reason"] == "unknown")
      #expect(reply["error"]?["status"] == nil)
    }
  }

  @Test func `is of the first type, where there are two`() async throws {
    try await TestServer.open { server in
      let form = "application/x-www-form-urlencoded"
      for others in [[form], ["application/json"]] {
        let reply = try await server.send(
          "POST", path: "/securetoken.googleapis.com/v1/token?key=a",
          body: "grant_type=refresh_token",
          headers: ([form] + others).map { ("Content-Type", $0) })
        #expect(reply.message == "MISSING_REFRESH_TOKEN", "\(others)")
      }
      let text = try await server.send(
        "POST", path: Self.path, body: "{}",
        headers: [("Content-Type", "text/plain"), ("Content-Type", "application/json")])
      #expect(text.message == "Invalid content-type: text/plain")
    }
  }

  @Test func `may be JSON where a GET of a control endpoint brings one`() async throws {
    try await TestServer.open { server in
      let path = "/emulator/v1/projects/demo-hearth/messages"
      let json = [("Content-Type", "application/json")]
      let taken = try await server.send("GET", path: path, body: "{}", headers: json)
      #expect(taken.status == 200, "\(taken.text)")
      let text = [("Content-Type", "text/plain")]
      let refused = try await server.send("GET", path: path, body: "{}", headers: text)
      #expect(refused.status == 400, "\(refused.text)")
    }
  }

  @Test func `is ignored where a DELETE brings one`() async throws {
    try await TestServer.open { server in
      let reply = try await server.send(
        "DELETE", path: "/emulator/v1/projects/demo-hearth/accounts", body: "not json",
        headers: [("Content-Type", "text/plain")])
      #expect(reply.text == "{}")
    }
  }

  @Test(arguments: [
    ("alt=xml", " must be equal to one of the allowed values"),
    ("prettyPrint=maybe", " must be boolean"),
  ])
  func `comes after the query`(query: String, rule: String) async throws {
    try await TestServer.open { server in
      let reply = try await server.post(Self.path + "&" + query, body: ["email": true])
      #expect(reply.message == "Invalid JSON payload received. \(rule)")
    }
  }

  @Test func `may ask for a part of the answer`() async throws {
    try await TestServer.open { server in
      let reply = try await server.post(
        "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=a&fields=localId&prettyPrint=true",
        body: [:])
      #expect(reply.json.object?.keys == ["localId"])
      #expect(reply.text.contains("\n  "))
    }
  }

  @Test func `that is too large is refused in the envelope`() async throws {
    try await TestServer.open({ $0.limits.body = 1000 }) { server in
      let reply = try await server.send(
        "POST", path: Self.path, body: String(repeating: "x", count: 2000),
        headers: [("Content-Type", "application/json"), ("Origin", "http://a.example")])
      #expect(reply.status == 413)
      #expect(reply["error"]?["code"] == 413)
      #expect(reply.headers["Access-Control-Allow-Origin"] == ["http://a.example"])
    }
  }
}
