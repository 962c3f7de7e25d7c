import HearthServer
import HearthTokens
import HearthTransport
package import HearthWire
import Testing

/// The requests that many tests make, to the default project.
extension TestServer {
  package typealias Reply = TestClient.Reply

  private static let owner = [("Authorization", "Bearer owner")]

  package func send(
    _ method: String, path: String, body: String? = nil, port: Int? = nil,
    headers: [(String, String)] = []
  ) async throws -> Reply {
    try await TestClient(port: port ?? addresses.authPort)
      .send(method, path: path, body: body, headers: headers)
  }

  package func post(
    _ path: String, body: JSON, headers: [(String, String)] = []
  ) async throws -> Reply {
    try await auth.post(path, body: body, headers: headers)
  }

  /// A client's call of `accounts:<verb>`.
  package func accounts(_ verb: String, body: JSON = [:]) async throws -> Reply {
    try await post("/identitytoolkit.googleapis.com/v1/accounts:\(verb)?key=any", body: body)
  }

  /// A client's call below `/v2`.
  package func v2(_ path: String, body: JSON = [:]) async throws -> Reply {
    try await post("/identitytoolkit.googleapis.com/v2/\(path)?key=any", body: body)
  }

  /// An administrator's call below `/v1/projects/demo-hearth`.
  package func admin(_ path: String, body: JSON = [:]) async throws -> Reply {
    try await post(
      "/identitytoolkit.googleapis.com/v1/projects/demo-hearth\(path)", body: body,
      headers: Self.owner)
  }

  /// An administrator's call below `/v2/projects/demo-hearth`.
  package func adminV2(
    _ method: String, path: String, body: JSON? = nil
  ) async throws -> Reply {
    try await auth.send(
      method, path: "/identitytoolkit.googleapis.com/v2/projects/demo-hearth\(path)", body: body,
      headers: Self.owner)
  }

  /// The emulator's own endpoints of the project.
  package func emulator(
    _ method: String, path: String, body: JSON? = nil
  ) async throws -> Reply {
    try await auth.send(method, path: "/emulator/v1/projects/demo-hearth/\(path)", body: body)
  }

  package func signUp(_ email: String, password: String = "secret1") async throws -> JSON {
    let reply = try await accounts(
      "signUp", body: ["email": .string(email), "password": .string(password)])
    #expect(reply.status == 200, "\(reply.text)")
    return reply.json
  }

  package func signIn(_ email: String, password: String = "secret1") async throws -> Reply {
    try await accounts(
      "signInWithPassword", body: ["email": .string(email), "password": .string(password)])
  }

  /// Sends a mail, and returns the code in it.
  package func oobCode(_ type: String, body: JSON) async throws -> String {
    var object = body.object ?? JSONObject()
    object["requestType"] = .string(type)
    let reply = try await accounts("sendOobCode", body: .object(object))
    #expect(reply.status == 200, "\(reply.text)")
    let mail = try await emulator("GET", path: "messages/latest?type=\(type)")
    return mail["oobCode"]?.string ?? ""
  }

  package func setSwitches(_ switches: JSON) async throws {
    let reply = try await emulator("PATCH", path: "switches", body: switches)
    #expect(reply.status == 200, "\(reply.text)")
  }
}

/// The claims of a token, without verifying it.
package func claims(_ token: JSON?) -> JSON {
  (token?.string).flatMap { JWT($0) }.map { .object($0.claims) } ?? .null
}
