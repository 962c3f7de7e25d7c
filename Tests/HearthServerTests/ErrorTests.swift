import HearthErrors
import HearthTestSupport
import HearthWire
import NIOHTTP1
import Testing

/// A fault refuses with a row of the error table, so that an app cannot tell it from the real error.
@Suite struct `An injected error` {
  /// A request that is refused without any fault, and the fault that says the same.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let code: String
    let operation: String
    let method: String
    let path: String
    var body: String?
    var testDescription: String { code }
  }

  private static let v1 = "/identitytoolkit.googleapis.com/v1"
  private static let v2 = "/identitytoolkit.googleapis.com/v2/projects/demo-hearth"
  private static let documents = "/v1/projects/demo-hearth/databases/(default)/documents"

  @Test(arguments: [
    Refusal(
      code: "CONFIGURATION_NOT_FOUND", operation: "*oauthIdpConfigs.get", method: "GET",
      path: "\(v2)/oauthIdpConfigs/oidc.x"),
    Refusal(
      code: "WEAK_PASSWORD", operation: "*.signUp", method: "POST",
      path: "\(v1)/accounts:signUp?key=a", body: #"{"email":"a@example.com","password":"x"}"#),
    Refusal(
      code: "EMAIL_NOT_FOUND", operation: "*.signInWithPassword", method: "POST",
      path: "\(v1)/accounts:signInWithPassword?key=a",
      body: #"{"email":"nobody@example.com","password":"secret"}"#),
    Refusal(
      code: "MISSING_CREDENTIAL", operation: "*mfaSignIn.finalize", method: "POST",
      path: "/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize?key=a", body: "{}"),
  ])
  func `equals the real one`(refusal: Refusal) async throws {
    try await TestServer.open { server in
      let headers =
        [("Content-Type", "application/json")]
        + (refusal.path.contains("key=") ? [] : [("Authorization", "Bearer owner")])
      func call() async throws -> TestServer.Reply {
        try await server.send(
          refusal.method, path: refusal.path, body: refusal.body, headers: headers)
      }
      let real = try await call()
      try await server.setFault(refusal.operation, effect: #"{"error":"\#(refusal.code)"}"#)
      let injected = try await call()
      #expect(real.message?.hasPrefix(refusal.code) == true)
      #expect(injected.status == real.status)
      #expect(injected.text == real.text)
    }
  }

  @Test func `of Firestore has the envelope of Firestore`() async throws {
    try await TestServer.open { server in
      let path = "\(Self.documents)/rooms/none"
      let real = try await server.send("GET", path: path)
      try await server.setFault("firestore.*", effect: #"{"error":"NOT_FOUND"}"#)
      let injected = try await server.send("GET", path: path)
      #expect(injected.status == 404)
      #expect(injected.headers["content-type"] == real.headers["content-type"])
      #expect(real.json["error"]?.object?.members.map(\.key) == ["code", "message", "status"])
      #expect(
        injected.text == #"{"error":{"code":404,"message":"NOT_FOUND","status":"NOT_FOUND"}}"#)
    }
  }

  @Test(arguments: ErrorCode.allCases)
  func `has the status of its row`(code: ErrorCode) async throws {
    try await TestServer.open { server in
      try await server.setFault("*.signUp", effect: #"{"error":"\#(code.rawValue)"}"#)
      let reply = try await server.accounts("signUp")
      #expect(reply.status == code.httpStatus)
      #expect(reply.message == APIError(code).message)
      #expect(reply["error"]?["status"]?.string == code.row.status)
    }
  }

  @Test func `that the table does not know is refused`() async throws {
    try await TestServer.open { server in
      let reply = try await server.putFaults(
        #"{"faults":[{"operation":"*","effect":{"error":"NO_SUCH_CODE"}}]}"#)
      #expect(reply.status == 400)
      #expect(reply.message?.contains("/faults/0/effect/error") == true)
    }
  }
}

extension TestServer {
  fileprivate func putFaults(_ json: String) async throws -> Reply {
    try await send(
      "PUT", path: "/emulator/v1/projects/demo-hearth/faults", body: json,
      headers: [("Content-Type", "application/json")])
  }

  fileprivate func setFault(_ operation: String, effect: String) async throws {
    let reply = try await putFaults(
      #"{"faults":[{"operation":"\#(operation)","effect":\#(effect)}]}"#)
    #expect(reply.status == 200)
  }
}
