import Foundation
import HearthClient
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthTime
import HearthTransport
import HearthWire
import Testing

/// A test author's client of a server, beside an app that sends plain HTTP requests.
struct Flow: Sendable {
  let hearth: HearthClient
  let server: TestServer

  var clock: ManualClock { server.clock }
  var auth: TestClient { server.auth }
  var firestore: TestClient { server.firestore }

  /// A dialect is the name of a fixture, whose back end is played beside Firebase.
  static func open(
    dialect: String? = nil, _ body: @Sendable (Flow) async throws -> Void
  ) async throws {
    let copy = try dialect.map(copyWithoutPort)
    defer { try? copy.map { try FileManager.default.removeItem(at: $0) } }
    try await TestServer.open {
      $0.dialectPaths = copy.map { [$0.path] } ?? []
    } body: { server in
      try await body(
        Flow(hearth: HearthClient(port: server.addresses.authPort), server: server))
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
