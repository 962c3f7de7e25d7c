import Foundation
import HearthServer
import HearthTestSupport
import HearthTransport
import HearthWire
import Testing

/// A project of a running server, as tests of snapshots use it.
struct SnapshotProject: Sendable {
  let server: TestServer
  let id: String

  private static let owner = [
    ("Content-Type", "application/json"), ("Authorization", "Bearer owner"),
  ]

  @discardableResult
  func call(
    _ method: String, path: String, body: JSON? = nil, port: Int? = nil, status: Int? = 200
  ) async throws -> TestServer.Reply {
    let reply = try await server.send(
      method, path: path, body: body?.text, port: port, headers: Self.owner)
    if let status { #expect(reply.status == status, "\(method) \(path): \(reply.text)") }
    return reply
  }

  // MARK: Snapshots

  @discardableResult
  func snapshots(
    _ method: String, rest: String = "", body: JSON? = nil, status: Int? = 200
  ) async throws -> TestServer.Reply {
    try await control(method, rest: "snapshots\(rest)", body: body, status: status)
  }

  func save(_ name: String) async throws {
    try await snapshots("POST", rest: "", body: ["name": .string(name)])
  }

  func restore(_ name: String) async throws {
    try await snapshots("POST", rest: "/\(name):restore")
  }

  @discardableResult
  func control(
    _ method: String, rest: String, body: JSON? = nil, status: Int? = 200
  ) async throws -> TestServer.Reply {
    try await call(method, path: "/emulator/v1/projects/\(id)/\(rest)", body: body, status: status)
  }

  // MARK: Firestore

  private func documents(_ database: String) -> String {
    "/v1/projects/\(id)/databases/\(database)/documents"
  }

  func set(_ path: String, value: String, database: String = "(default)") async throws {
    try await call(
      "PATCH", path: "\(documents(database))/\(path)",
      body: ["fields": ["value": ["stringValue": .string(value)], "n": ["integerValue": "7"]]],
      port: server.addresses.firestorePort)
  }

  func delete(_ path: String) async throws {
    try await call(
      "DELETE", path: "\(documents("(default)"))/\(path)", port: server.addresses.firestorePort)
  }

  func clearDocuments(database: String = "(default)") async throws {
    try await call(
      "DELETE", path: "/emulator" + documents(database), port: server.addresses.firestorePort)
  }

  func value(_ path: String, database: String = "(default)") async throws -> String? {
    let reply = try await call(
      "GET", path: "\(documents(database))/\(path)", port: server.addresses.firestorePort,
      status: nil)
    return reply["fields"]?["value"]?["stringValue"]?.string
  }

  /// All documents of a database, without their times of update; found by an index too.
  private func documents(in database: String) async throws -> [String] {
    var all: [String] = []
    for collection in ["a", "b", "c"] {
      var sums: [Set<String>] = []
      for filter: JSON? in [nil, Self.seven] {
        var query: JSONObject = JSONObject([
          "from": [["collectionId": .string(collection), "allDescendants": true]]
        ])
        if let filter { query["where"] = filter }
        let reply = try await call(
          "POST", path: documents(database) + ":runQuery",
          body: ["structuredQuery": .object(query)],
          port: server.addresses.firestorePort)
        let found = (reply.json.array ?? []).compactMap { $0["document"] }.map { document in
          let name = document["name"]?.string ?? ""
          let path = name.replacing("projects/\(id)/", with: "")
          return "\(path) \(document["createTime"]?.string ?? "") \(document["fields"]?.text ?? "")"
        }
        sums.append(Set(found))
      }
      #expect(sums[0] == sums[1], "the index of \(collection) in \(id)")
      all += sums[0]
    }
    return all.sorted()
  }

  private static let seven: JSON = [
    "fieldFilter": [
      "field": ["fieldPath": "n"], "op": "EQUAL", "value": ["integerValue": "7"],
    ]
  ]

  // MARK: Accounts

  func signUp(_ email: String) async throws -> TestServer.Reply {
    try await server.post(
      "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=\(id)",
      body: ["email": .string(email), "password": "secret1"])
  }

  func signIn(_ email: String) async throws -> TestServer.Reply {
    try await server.post(
      "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=\(id)",
      body: ["email": .string(email), "password": "secret1"])
  }

  func refresh(_ session: TestServer.Reply) async throws -> TestServer.Reply {
    try await server.post(
      "/securetoken.googleapis.com/v1/token?key=\(id)",
      body: ["grantType": "refresh_token", "refreshToken": session["refreshToken"] ?? ""])
  }

  func lookup(_ session: TestServer.Reply) async throws -> TestServer.Reply {
    try await server.post(
      "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=\(id)",
      body: ["idToken": session["idToken"] ?? ""])
  }

  func sendResetCode(to email: String) async throws {
    let reply = try await server.post(
      "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=\(id)",
      body: ["requestType": "PASSWORD_RESET", "email": .string(email)])
    #expect(reply.status == 200, "\(reply.text)")
  }

  func clearAccounts() async throws {
    try await call("DELETE", path: "/emulator/v1/projects/\(id)/accounts")
  }

  // MARK: Everything

  /// All that can be seen of the project, as text that two equal states have in common.
  func dump(isForked: Bool = false) async throws -> String {
    var parts = try await documents(in: "(default)") + documents(in: "second")
    let users = try await call(
      "GET",
      path: "/identitytoolkit.googleapis.com/v1/projects/\(id)/accounts:batchGet?maxResults=100")
    parts += (users["users"]?.array ?? []).map(\.text)
    let codes = try await control("GET", rest: "oobCodes")
    parts += (codes["oobCodes"]?.array ?? []).map { $0["oobCode"]?.text ?? "" }
    let mails = try await control("GET", rest: "messages")
    parts += (mails["messages"]?.array ?? []).map { mail in
      "mail \(mail["oobCode"]?.text ?? "") \(mail["state"]?.text ?? "") "
        + (isForked ? "" : mail["id"]?.text ?? "")
    }
    for member in ["switches", "clock", "faults"] {
      parts.append(try await control("GET", rest: member).text)
    }
    let tenants = try await call(
      "GET", path: "/identitytoolkit.googleapis.com/v2/projects/\(id)/tenants")
    parts.append(tenants.text)
    return parts.joined(separator: "\n").replacing(id, with: "demo-any")
  }
}
