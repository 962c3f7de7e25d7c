import HearthServer
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthSettings

/// A server with `--require-token`, and what a test asks of it.
struct SharedServer: Sendable {
  static let secret = "operator-operator-operator-operator"
  typealias Reply = TestClient.Reply
  typealias Headers = [(String, String)]

  let server: TestServer

  static func open(
    _ change: @Sendable (inout Configuration) throws -> Void = { _ in },
    _ body: @Sendable (SharedServer) async throws -> Void
  ) async throws {
    try await TestServer.open { configuration in
      configuration.requiresToken = true
      try configuration.settleSharing(environment: ["HEARTH_OPERATOR_TOKEN": secret])
      try change(&configuration)
    } body: { server in
      try await body(SharedServer(server: server))
    }
  }

  static func bearer(_ token: String) -> Headers { [("Authorization", "Bearer \(token)")] }
  static let `operator` = bearer(secret)

  func post(_ path: String, _ body: JSON, _ headers: Headers = []) async throws -> Reply {
    try await server.auth.send("POST", path: path, body: body, headers: headers)
  }

  func get(_ path: String, _ headers: Headers = []) async throws -> Reply {
    try await server.auth.get(path, headers: headers)
  }

  /// - Returns: its token.
  func project(_ id: String, ttl: String = "1h", quota: Int64? = nil) async throws -> String {
    let reply = try await post(
      "/emulator/v1/projects",
      .members([
        "projectId": .string(id), "ttl": .string(ttl), "quotaBytes": quota.map(JSON.int),
      ]),
      Self.operator)
    #expect(reply.status == 200, "\(reply.text)")
    return reply["token"]?.string ?? ""
  }

  /// A client's call of Auth in a project.
  func accounts(_ verb: String, in project: String, _ body: JSON) async throws -> Reply {
    try await post("/identitytoolkit.googleapis.com/v1/accounts:\(verb)?key=\(project)", body)
  }

  func signUp(_ email: String, in project: String) async throws -> Reply {
    try await accounts(
      "signUp", in: project, ["email": .string(email), "password": "secret1"])
  }

  func write(
    _ path: String, in project: String, _ text: String = "x", _ headers: Headers = []
  ) async throws -> Reply {
    try await server.firestore.send(
      "PATCH", path: "/v1/projects/\(project)/databases/(default)/documents/\(path)",
      body: ["fields": ["text": ["stringValue": .string(text)]]], headers: headers)
  }

  func read(_ path: String, in project: String, _ headers: Headers = []) async throws -> Reply {
    try await server.firestore.get(
      "/v1/projects/\(project)/databases/(default)/documents/\(path)", headers: headers)
  }
}
