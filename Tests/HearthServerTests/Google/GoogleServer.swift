import Foundation
import HearthServer
import HearthServiceAccounts
import HearthTestSupport
import HearthTime
import HearthWire

@testable import HearthSettings

/// A server in the mode as Google, and the service account whose key file it was given.
struct GoogleServer: Sendable {
  let server: TestServer
  let account: ServiceAccount

  /// All tests share an account: making its key takes longer than most tests.
  private static let shared = Result {
    try ServiceAccount.generate(project: "demo-hearth", now: ManualClock().now)
  }

  static func open(
    _ change: @escaping @Sendable (inout Configuration) throws -> Void = { _ in },
    body: @escaping @Sendable (GoogleServer) async throws -> Void
  ) async throws {
    let account = try shared.get()
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = folder + "/key.json"
      try ServiceAccountFile.write(try ServiceAccountFile(account).json(), to: path)
      try await TestServer.open { configuration in
        configuration.asGoogle = true
        configuration.tlsPort = 0
        configuration.serviceAccountPath = path
        try change(&configuration)
      } body: { server in
        try await body(GoogleServer(server: server, account: account))
      }
    }
  }

  static let tokenPath = "/oauth2.googleapis.com/token"

  /// An assertion that is good now, with changes.
  func assertion(
    _ changes: KeyValuePairs<String, JSON?> = [:], by signer: ServiceAccount? = nil
  ) throws -> String {
    var claims = JSONObject([
      "iss": .string(account.email), "aud": "https://oauth2.googleapis.com/token",
      "scope": "https://www.googleapis.com/auth/cloud-platform",
      "iat": .int(server.clock.now.seconds), "exp": .int(server.clock.now.seconds + 3600),
    ])
    for (name, value) in changes { claims[name] = value }
    return try (signer ?? account).sign(claims)
  }

  func grant(
    _ assertion: String, at path: String = Self.tokenPath, headers: [(String, String)] = []
  ) async throws -> TestServer.Reply {
    try await form(
      path,
      fields: [
        ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion),
      ], headers: headers)
  }

  func form(
    _ path: String, fields: [(String, String)], headers: [(String, String)] = []
  ) async throws -> TestServer.Reply {
    let form = FormFields(fields.map { .init(name: $0.0, value: $0.1) })
    return try await server.send(
      "POST", path: path, body: form.text,
      headers: [("Content-Type", "application/x-www-form-urlencoded")] + headers)
  }

  /// An access token, as a client gets it.
  func accessToken() async throws -> String {
    try await grant(assertion())["access_token"]?.string ?? ""
  }

  /// A token that the account signs by itself for a service.
  func selfSigned(
    for service: String, _ changes: KeyValuePairs<String, JSON?> = [:],
    by signer: ServiceAccount? = nil
  ) throws -> String {
    var claims = JSONObject([
      "iss": .string(account.email), "sub": .string(account.email),
      "aud": .string("https://\(service)/"), "iat": .int(server.clock.now.seconds),
      "exp": .int(server.clock.now.seconds + 3600),
    ])
    for (name, value) in changes { claims[name] = value }
    return try (signer ?? account).sign(claims)
  }

  /// Lists the accounts of the project as the bearer of a token.
  func accounts(
    _ token: String, port: Int? = nil, headers: [(String, String)] = []
  ) async throws -> TestServer.Reply {
    try await server.send(
      "GET", path: "/identitytoolkit.googleapis.com/v1/projects/demo-hearth/accounts:batchGet",
      port: port, headers: [("Authorization", "Bearer \(token)")] + headers)
  }

  /// Reads a document that is not there as the bearer of a token: 404 for an administrator.
  func document(_ token: String?) async throws -> TestServer.Reply {
    try await server.firestore.get(
      "/v1/projects/demo-hearth/databases/(default)/documents/a/b",
      headers: token.map { [("Authorization", "Bearer \($0)")] } ?? [])
  }
}
