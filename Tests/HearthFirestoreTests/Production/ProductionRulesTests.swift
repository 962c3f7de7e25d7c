import HearthErrors
import HearthFirestoreProtos
import HearthOperations
import HearthWire
import SwiftProtobuf
import Synchronization
import Testing

@testable import HearthFirestore

/// What end users may not do in production, whatever the rules say, and what they may not do
/// without rules.
@Suite(.timeLimit(.minutes(30))) struct `End users of production` {
  private static let denied = "Missing or insufficient permissions."
  private static let open = "match /{any=**} { allow read, write: if true; }"
  private static let user = FirestoreCaller.user(JSONObject(members: [("sub", "ann")]))

  private let rig: Rig

  init() throws { rig = try Rig { $0.answers = .production } }

  private func refusal(_ body: () async throws -> Void) async throws -> String {
    do { try await body() } catch let error as APIError {
      #expect(error.code == .permissionDenied)
      return rig.firestore.worded(error, for: "demo").message
    }
    Issue.record("it is not refused")
    return ""
  }

  private func get(_ path: String, as caller: FirestoreCaller = user) async throws {
    _ = try await rig.firestore.getDocument(.with { $0.name = name(path) }, as: caller)
  }

  // MARK: Without rules

  @Test func `get at nothing without rules`() async throws {
    try await rig.set(["c/a": ["n": 1]])
    let refused = Mutex<[DatabaseName]>([])
    rig.firestore.rules.observeRefusals { database in refused.withLock { $0.append(database) } }
    for caller in [FirestoreCaller.nobody, Self.user] {
      #expect(try await refusal { try await get("c/a", as: caller) } == Self.denied)
      #expect(try await refusal { try await get("c/none", as: caller) } == Self.denied)
      let created = try await refusal {
        _ = try await rig.commit([.set("c/b", fields: ["n": 1])], as: caller)
      }
      #expect(created == Self.denied)
      let listed = try await refusal {
        _ = try await rig.firestore.runQuery(
          .with {
            $0.parent = Rig.database.documents
            $0.structuredQuery = .of("c")
          }, as: caller)
      }
      #expect(listed == Self.denied)
    }
    #expect(refused.withLock { $0 } == [Rig.database])
    try await get("c/a", as: .owner)
    try rig.set(rules: Self.open)
    try await get("c/a")
    rig.firestore.removeRules(of: "demo")
    #expect(try await refusal { try await get("c/a") } == Self.denied)
  }

  @Test func `are told why in the request log`() async throws {
    let error = await #expect(throws: APIError.self) { try await get("c/a") }
    let explanation = try #require(error?.explanation)
    #expect(explanation.contains("has no security rules") && explanation.contains("--rules"))
  }

  @Test func `find each database with rules of its own`() async throws {
    try rig.set(rules: Self.open)
    let other = DatabaseName(project: "demo", database: "other")
    let request = GetDocumentRequest.with { $0.name = "\(other.documents)/c/a" }
    _ = try await rig.firestore.commit(
      .with {
        $0.database = other.description
        $0.writes = [.with { $0.update.name = request.name }]
      }, as: .owner)
    let message = try await refusal {
      _ = try await rig.firestore.getDocument(request, as: Self.user)
    }
    #expect(message == Self.denied)
    #expect(rig.firestore.securityRules(of: .database(other)).text.contains("NO_RULES"))
    rig.firestore.rules.set(
      try #require(rig.firestore.rules.ruleset(of: Rig.database)), of: other)
    _ = try await rig.firestore.getDocument(request, as: Self.user)
  }

  @Test func `are open to everybody in the official emulator`() async throws {
    let rig = try Rig()
    try await rig.set(["c/a": ["n": 1]])
    _ = try await rig.firestore.getDocument(.with { $0.name = name("c/a") }, as: .nobody)
    #expect(
      rig.firestore.securityRules(of: .project("demo")).text.contains("OPEN_RULES"))
  }

  @Test func `hear of nothing without rules`() async throws {
    var listening = Listening(rig, as: Self.user)
    listening.add(.documents(1, paths: ["c/a"]))
    #expect(await listening.next()?.targetChange.targetChangeType == .add)
    let removed = await listening.next()?.targetChange
    #expect(removed?.targetChangeType == .remove && removed?.cause.code == 7)
    try await listening.end()
  }

  // MARK: Transactions

  @Test func `begin transactions that only read`() async throws {
    try rig.set(rules: Self.open)
    for caller in [FirestoreCaller.nobody, Self.user] {
      var request = BeginTransactionRequest.with { $0.database = Rig.database.description }
      for _ in 0..<2 {
        let message = try await refusal {
          _ = try await rig.firestore.beginTransaction(request, as: caller)
        }
        #expect(message == Self.denied)
        request.options.readWrite = .init()
      }
      request.options.readOnly = .init()
      _ = try await rig.firestore.beginTransaction(request, as: caller)
      var read = BatchGetDocumentsRequest.with {
        $0.database = Rig.database.description
        $0.newTransaction.readWrite = .init()
      }
      let message = try await refusal {
        _ = try await rig.firestore.batchGetDocuments(read, as: caller)
      }
      #expect(message == Self.denied)
      read.newTransaction.readOnly = .init()
      let rows = try await rig.firestore.batchGetDocuments(read, as: caller)
      #expect(rows.count == 1 && !rows[0].transaction.isEmpty)
    }
  }

  @Test func `begin any transaction in the official emulator`() async throws {
    let rig = try Rig()
    _ = try await rig.firestore.beginTransaction(
      .with { $0.database = Rig.database.description }, as: .nobody)
  }

  // MARK: Calls of administrators

  @Test func `are refused in one sentence`() async throws {
    try rig.set(rules: Self.open)
    let calls: [(FirestoreCaller) async throws -> Void] = [
      { caller in
        _ = try await rig.firestore.batchWrite(
          .with {
            $0.database = Rig.database.description
            $0.writes = [.set("c/a", fields: [:])]
          }, as: caller)
      },
      { caller in
        _ = try await rig.firestore.listCollectionIds(
          .with { $0.parent = Rig.database.documents }, as: caller)
      },
      { caller in
        _ = try await rig.firestore.partitionQuery(
          .with {
            $0.parent = Rig.database.documents
            $0.structuredQuery = .of("c")
            $0.structuredQuery.from[0].allDescendants = true
            $0.structuredQuery.orderBy = [.with { $0.field.fieldPath = "__name__" }]
            $0.partitionCount = 2
          }, as: caller)
      },
    ]
    for call in calls {
      #expect(try await refusal { try await call(Self.user) } == Self.denied)
    }
  }

  @Test func `see that a query has more members than three`() async throws {
    let three = "request.query.keys().%(['limit', 'offset', 'orderBy'])"
    for (method, isAllowed) in [("hasAll", true), ("hasOnly", false)] {
      try rig.set(
        rules: "match /c/{x} { allow list: if \(three.replacing("%", with: method)); }")
      let query = RunQueryRequest.with {
        $0.parent = Rig.database.documents
        $0.structuredQuery = .of("c")
      }
      if isAllowed {
        _ = try await rig.firestore.runQuery(query, as: Self.user)
      } else {
        let message = try await refusal {
          _ = try await rig.firestore.runQuery(query, as: Self.user)
        }
        #expect(message == Self.denied)
      }
    }
  }
}
