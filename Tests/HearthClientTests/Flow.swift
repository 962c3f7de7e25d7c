import Foundation
import HearthClient
import HearthServer
import HearthTime
import HearthTokens
import HearthWire
import Logging
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A running Hearth with a clock that stands still, a test author's client of it, and what an app
/// sees of it over plain HTTP.
struct Flow: Sendable {
  let hearth: HearthClient
  let clock: ManualClock
  let auth: App
  let firestore: App

  /// All flows share one set of keys: making one takes longer than a flow.
  private static let keys = KeySet(directory: nil, clock: ManualClock())

  /// A dialect is the name of a fixture, whose back end is played beside Firebase.
  static func open(
    dialect: String? = nil, _ body: @Sendable (Flow) async throws -> Void
  ) async throws {
    var configuration = Configuration.ephemeral
    let copy = try dialect.map(copyWithoutPort)
    defer { try? copy.map { try FileManager.default.removeItem(at: $0) } }
    configuration.dialectPaths = copy.map { [$0.path] } ?? []
    let clock = ManualClock()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let hearth = try Hearth(configuration, clock: clock, keys: keys, logger: logger)
    try await hearth.serving { addresses in
      try await body(
        Flow(
          hearth: HearthClient(port: addresses.authPort), clock: clock,
          auth: App(port: addresses.authPort), firestore: App(port: addresses.firestorePort)))
    }
  }

  /// A definition may ask for a port of its own, which on this machine may be taken: the copy is
  /// served under its prefix only.
  private static func copyWithoutPort(_ name: String) throws -> URL {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../fixtures/dialects/\(name).json").standardizedFileURL
    var definition = try JSON.parse(try String(contentsOf: fixture, encoding: .utf8)).object
    var place = definition?["serve"]?.object
    place?["port"] = nil
    definition?["serve"] = place.map { .object($0) }
    let copy = FileManager.default.temporaryDirectory
      .appending(path: "\(name)-\(UUID().uuidString).json")
    let text = JSON.object(try #require(definition)).text
    try text.write(to: copy, atomically: true, encoding: .utf8)
    return copy
  }

  // MARK: The same in every flow

  /// A user with a password, and a session that is two seconds old: what ends sessions counts in
  /// seconds.
  func signedInUser(
    _ email: String, password: String, displayName: String? = nil
  ) async throws -> Session {
    try await hearth.createUser(email: email, password: password, displayName: displayName)
    let session = try await hearth.signIn(email: email, password: password)
    clock.advance(by: .seconds(2))
    return session
  }

  /// The new password works, and neither the old one nor the old session does.
  func expectReset(
    of email: String, to password: String, from old: String, ending session: Session
  ) async throws {
    let fresh = try await hearth.signIn(email: email, password: password)
    #expect(fresh.localId == session.localId)
    #expect(try await hearth.lookup(fresh).email == email)
    #expect(try await hearth.refresh(fresh).localId == session.localId)
    #expect(
      await refusal { try await hearth.signIn(email: email, password: old) } == "INVALID_PASSWORD")
    #expect(await refusal { try await hearth.lookup(session) } == "TOKEN_EXPIRED")
    #expect(await refusal { try await hearth.refresh(session) } == "TOKEN_EXPIRED")
  }
}

/// The code of the refusal; nil when there is none.
func refusal<Value>(_ call: () async throws -> Value) async -> String? {
  do {
    _ = try await call()
    return nil
  } catch let error as HearthError {
    return error.code
  } catch {
    return "\(error)"
  }
}

/// Requests as an app makes them, without any SDK.
struct App: Sendable {
  struct Reply: Sendable {
    let status: Int
    let text: String

    var json: JSON { (try? JSON.parse(text)) ?? .null }
    var members: [String] { json.object?.keys.sorted() ?? [] }
    subscript(member: String) -> JSON? { json[member] }
  }

  let port: Int
  var prefix = ""

  func below(_ prefix: String) -> App { App(port: port, prefix: prefix) }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> Reply {
    try await send("GET", path, nil, headers)
  }

  func post(
    _ path: String, _ body: JSON, headers: [String: String] = [:]
  ) async throws -> Reply {
    try await send(
      "POST", path, body.text, headers.merging(["Content-Type": "application/json"]) { $1 })
  }

  func put(_ path: String, _ body: JSON) async throws -> Reply {
    try await send("PUT", path, body.text, ["Content-Type": "application/json"])
  }

  func patch(_ path: String, _ body: JSON, headers: [String: String]) async throws -> Reply {
    try await send(
      "PATCH", path, body.text, headers.merging(["Content-Type": "application/json"]) { $1 })
  }

  /// A page's form.
  func submit(_ path: String, _ form: String) async throws -> Reply {
    try await send(
      "POST", path, form,
      ["Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"])
  }

  private func send(
    _ method: String, _ path: String, _ body: String?, _ headers: [String: String]
  ) async throws -> Reply {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)\(prefix)\(path)"))
    var request = URLRequest(url: url, timeoutInterval: 30)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    return Reply(
      status: (response as? HTTPURLResponse)?.statusCode ?? 0,
      text: String(decoding: data, as: UTF8.self))
  }
}
