import Foundation
import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTestSupport
import HearthTokens
import HearthWire
import Logging
import Testing

@testable import HearthEvents
@testable import HearthObservation
@testable import HearthServer
@testable import HearthSettings
@testable import HearthTransport

/// A sign-in before the first key is there, which then cannot be had.
@Suite struct `A sign-in without a key` {
  /// Writes something, tells something, and wants a token.
  private enum SignIn: HearthOperations.Operation {
    static func run(
      _ request: NoFields, in project: ProjectTransaction, context: Context
    ) throws(APIError) -> Outcome {
      try project.save(try project.settings())
      project.outbox.lines.append("signed in")
      return .answer(
        Answer(JSONObject(["idToken": ""]), sign: (["idToken"], JSONObject(["sub": "u"]))))
    }
  }

  /// Goes on elsewhere, and wants no token in the end.
  private enum Wait: HearthOperations.Operation {
    static func run(
      _ request: NoFields, in project: ProjectTransaction, context: Context
    ) throws(APIError) -> Outcome {
      .away { () async throws(APIError) in
        { (_, _) throws(APIError) in .answer(Answer(JSONObject(["waited": true]))) }
      }
    }
  }

  private func run(
    _ operation: any HearthOperations.Operation.Type,
    operations: OperationRunner, keys: KeySet
  ) async throws -> Answer {
    let call = IncomingCall(
      method: "POST", target: "/?key=any", host: "127.0.0.1",
      servedPort: ServedPort(.auth, tokenMode: .rs256))
    let query = FormFields(parsing: call.query)
    let route = try #require(RouteCatalogue.all.first { $0.credential == .bearerOrKey })
    let credentials = try Credentials(
      call, query: query, for: route, server: ServerFacts(), isConsole: false)
    let wire = WireRequest(query: query)
    let scope = try Scope(
      wire, credentials: credentials, route: route, defaultProject: "demo", keys: keys,
      answers: .emulator)
    return try await operations.run(
      operation, request: CheckedRequest(wire: wire, credentials: credentials, query: query),
      scope: scope, call: call)
  }

  private func withBrokenKey(
    _ body: (OperationRunner, KeySet, TestProject, CapturedLog, _ file: String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let file = folder + "/keys/000001.pem"
      try FileManager.default.createDirectory(
        atPath: folder + "/keys", withIntermediateDirectories: true)
      try Data("broken".utf8).write(to: URL(filePath: file))
      let keys = KeySet(directory: folder, clock: ManualClock())
      let (project, log) = (try TestProject([]), CapturedLog())
      let logger = Logger(label: "test") { _ in log }
      let recorder = CallRecorder(project.server, bytes: 1 << 20)
      let operations = OperationRunner(
        store: project.store, keys: keys, server: project.server,
        hosts: Hosts(bound: "127.0.0.1", allowed: []),
        events: EventDispatch(
          project.server, store: project.store, recorder: recorder, configuration: Configuration(),
          logger: logger),
        logger: logger)
      try await body(operations, keys, project, log, file)
    }
  }

  @Test func `writes and tells nothing, and works once there is a key`() async throws {
    try await withBrokenKey { operations, keys, project, log, file in
      func projects() throws -> [String] {
        try project.store.transaction { transaction throws(APIError) in
          try ProjectSettings.projectIds(in: transaction)
        }
      }

      await #expect(throws: APIError.self) {
        try await run(SignIn.self, operations: operations, keys: keys)
      }
      #expect(try projects() == [])
      #expect(log.lines.contains { $0.contains("000001.pem") } && !log.lines.contains("signed in"))

      try FileManager.default.removeItem(atPath: file)
      let answer = try await run(SignIn.self, operations: operations, keys: keys)
      #expect(answer.json["idToken"]?.string?.isEmpty == false)
      #expect(try projects() == ["demo"])
      #expect(log.lines.filter { $0 == "signed in" }.count == 1)
    }
  }

  @Test func `does not hold up what is not signed`() async throws {
    try await withBrokenKey { operations, keys, _, _, _ in
      let answer = try await run(Wait.self, operations: operations, keys: keys)
      #expect(answer.json["waited"] == true)
    }
  }
}
