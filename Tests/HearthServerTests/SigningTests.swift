import Firestore
import Foundation
import HTTPTypes
import HearthCore
import HearthStore
import HearthTokens
import Logging
import Testing

@testable import HearthServer

@Suite(.timeLimit(.minutes(1))) struct `A server whose key cannot be kept` {
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "hearth-\(UUID().uuidString)")

  /// In the way of the first key.
  private var obstacle: URL { directory.appending(path: "keys/000001.pem.partial") }

  private func dispatcher() throws -> Dispatcher {
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
    let (clock, store) = (ManualClock(), try Store())
    let server = ServerFacts(
      defaultProject: "demo-hearth", profile: .emulator, changes: store.changes, clock: clock,
      functions: FunctionsClient(), sendsUserEvents: false)
    let keys = KeySet(directory: directory.path, clock: clock)
    let credentials = FirestoreCredentials(store: store, keys: keys, server: server)
    let firestore = try Firestore(
      store: store, clocks: server.clocks,
      rules: RulesTable(standard: nil, budget: Configuration.ephemeral.rulesBudget),
      history: HistoryBounds(), transactionMode: { _ in .emulator })
    let (faults, journal) = (Faults(), Journal(server, bytes: 1 << 20))
    return Dispatcher(
      routes: RouteCatalogue.all, store: store, keys: keys, server: server,
      firestore: FirestoreGateway(firestore: firestore, credentials: credentials),
      faults: faults, journal: journal,
      channels: FirestoreChannels(
        firestore: firestore,
        calls: FirestoreCalls(credentials: credentials, faults: faults, journal: journal)),
      dialects: DialectGateway(try Configuration.ephemeral.dialects(), store, server),
      singleProjectMode: .noWarning, boundHost: "127.0.0.1", allowedHosts: [],
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private func call(
    _ dispatcher: Dispatcher, _ method: String, _ path: String, _ body: String = "",
    mode: TokenMode = .rs256
  ) async -> OutgoingReply {
    var headers = HTTPFields()
    headers[.authorization] = "Bearer owner"
    if !body.isEmpty { headers[.contentType] = "application/json" }
    return await dispatcher.respond(
      to: IncomingCall(
        method: method, target: path, headers: headers, host: "127.0.0.1",
        body: Array(body.utf8), door: Door(.auth, tokenMode: mode)))
  }

  private static let accounts = "/identitytoolkit.googleapis.com/v1/accounts"
  private static let lookup =
    "/identitytoolkit.googleapis.com/v1/projects/demo-hearth/accounts:lookup"
  private static let ann = #"{"email":"ann@example.com","password":"secret1"}"#

  @Test func `is not ready, writes nothing of a sign-up, and goes on when it can`() async throws {
    let dispatcher = try dispatcher()
    let refused = await call(dispatcher, "POST", "\(Self.accounts):signUp?key=a", Self.ann)
    #expect(refused.status == 500)
    #expect(await call(dispatcher, "GET", "/").status == 503)
    // Without signatures nothing is missing.
    #expect(await call(dispatcher, "GET", "/", mode: .none).status == 200)
    let lookup = #"{"email":["ann@example.com"]}"#
    let found = try JSON.parse(await call(dispatcher, "POST", Self.lookup, lookup).body)
    #expect(found["users"] == nil)
    try FileManager.default.removeItem(at: obstacle)
    let made = await call(dispatcher, "POST", "\(Self.accounts):signUp?key=a", Self.ann)
    #expect(made.status == 200)
    #expect(await call(dispatcher, "GET", "/").status == 200)
    try FileManager.default.removeItem(at: directory)
  }
}
