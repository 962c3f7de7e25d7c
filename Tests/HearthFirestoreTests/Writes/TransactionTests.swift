import Foundation
import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthSQLite
import HearthTestSupport
import HearthTime
import SwiftProtobuf
import Testing

/// How transactions keep out of each other's way, in each mode.
@Suite(.timeLimit(.minutes(30))) struct `A transaction` {
  typealias Mode = Switches.TransactionMode

  private func rig(_ mode: Mode) async throws -> Rig {
    let rig = try Rig(transactions: mode)
    try await rig.set(["c/a": ["n": 1], "c/b": ["n": 1]])
    return rig
  }

  /// Writes that meet what the transaction has read.
  enum Meeting: CaseIterable {
    case update, delete, createOfMissing, insertIntoQuery, insertBesideQuery, insertIntoCount
    case batch

    func read(_ transaction: Data, rig: Rig) async throws {
      switch self {
      case .update, .delete, .batch: _ = try await rig.get(["c/a"], in: transaction)
      case .createOfMissing: _ = try await rig.get(["c/none"], in: transaction)
      case .insertIntoQuery: _ = try await rig.query(.of("c"), in: transaction)
      case .insertBesideQuery:
        let query = StructuredQuery.of("c").filtered(by: .field("n", op: .equal, value: 100))
        _ = try await rig.query(query, in: transaction)
      case .insertIntoCount: try await rig.count(.of("c"), in: transaction)
      }
    }

    var write: Write {
      switch self {
      case .update, .batch: .set("c/a", fields: ["n": 2])
      case .delete: .delete("c/a")
      case .createOfMissing: .set("c/none", fields: ["n": 2])
      case .insertIntoQuery, .insertBesideQuery, .insertIntoCount: .set("c/new", fields: ["n": 2])
      }
    }

    /// - Throws: what the write was answered with.
    func perform(_ rig: Rig) async throws(APIError) {
      guard self == .batch else {
        _ = try await rig.commit([write])
        return
      }
      let status = try await rig.firestore.batchWrite(
        .with {
          $0.database = Rig.database.description
          $0.writes = [write]
        }, as: .owner
      ).status
      if let failed = status.first(where: { $0.code == 10 }) {
        throw APIError(.unavailable, message: failed.message)
      }
    }
  }

  @Test(arguments: [
    Write.set("c", fields: [:]), .set("c/a", fields: ["__x__": 1]),
    .set("c/a", fields: ["a": Value()]), Write(),
    .set("c/a", fields: ["l": .list([.list([1])])]),
  ])
  func `stays open after a commit that is malformed`(malformed: Write) async throws {
    let rig = try await rig(.emulator)
    let transaction = try await rig.begin()
    _ = try await rig.get(["c/a"], in: transaction)
    await #expect(throws: APIError.self) {
      try await rig.commit([malformed, .set("c/a", fields: ["n": 5])], in: transaction)
    }
    _ = try await rig.commit([.set("c/a", fields: ["n": 3])], in: transaction)
    #expect(try await rig.number("c/a") == 3)
  }

  @Test(arguments: Meeting.allCases)
  func `lets a plain write wait, which gives up after two seconds`(meeting: Meeting) async throws {
    let rig = try await rig(.emulator)
    let transaction = try await rig.begin()
    try await meeting.read(transaction, rig: rig)
    let write = Task { try await meeting.perform(rig) }
    await rig.untilSomebodyWaits()
    rig.clock.advance(by: .seconds(2))
    let refusal = await #expect(throws: APIError.self) { try await write.value }
    #expect(refusal?.message.contains("Transaction lock timeout.") == true)
    _ = try await rig.commit([.set("c/a", fields: ["n": 3])], in: transaction)
    #expect(try await rig.number("c/a") == 3)
  }

  @Test(arguments: Meeting.allCases)
  func `lets a plain write go on when it has committed`(meeting: Meeting) async throws {
    let rig = try await rig(.emulator)
    let transaction = try await rig.begin()
    try await meeting.read(transaction, rig: rig)
    let write = Task { try await meeting.perform(rig) }
    await rig.untilSomebodyWaits()
    _ = try await rig.commit([.set("c/b", fields: ["n": 3])], in: transaction)
    try await write.value
  }

  @Test(arguments: ["other/x", "c/a/sub/x"])
  func `lets writes elsewhere pass`(path: String) async throws {
    let rig = try await rig(.emulator)
    let transaction = try await rig.begin()
    _ = try await rig.query(.of("c"), in: transaction)
    _ = try await rig.commit([.set(path, fields: ["n": 1])])
    _ = try await rig.commit([], in: transaction)
  }

  @Test func `locks collections of that id under every parent`() async throws {
    let rig = try await rig(.emulator)
    let transaction = try await rig.begin()
    _ = try await rig.query(.of("sub"), in: transaction, parent: name("c/a"))
    let write = Task { try await rig.commit([.set("c/b/sub/x", fields: ["n": 1])]) }
    await rig.untilSomebodyWaits()
    try await rig.rollback(transaction)
    _ = try await write.value
  }

  @Test func `reads what another one has read; the first to commit gives up`() async throws {
    let rig = try await rig(.emulator)
    let (first, second) = (try await rig.begin(), try await rig.begin())
    for transaction in [first, second] { _ = try await rig.get(["c/a"], in: transaction) }
    let commit = Task { try await rig.commit([.set("c/a", fields: ["n": 2])], in: first) }
    await rig.untilSomebodyWaits()
    rig.clock.advance(by: .seconds(2))
    await #expect(throws: APIError.self) { try await commit.value }
    _ = try await rig.commit([.set("c/a", fields: ["n": 3])], in: second)
    #expect(try await rig.number("c/a") == 3)
  }

  @Test func `fails at once where two would wait for each other`() async throws {
    let rig = try await rig(.emulator)
    let (first, second) = (try await rig.begin(), try await rig.begin())
    for transaction in [first, second] { _ = try await rig.get(["c/a"], in: transaction) }
    let commit = Task { try await rig.commit([.set("c/a", fields: ["n": 2])], in: first) }
    await rig.untilSomebodyWaits()
    await #expect(throws: APIError.self) {
      try await rig.commit([.set("c/a", fields: ["n": 3])], in: second)
    }
    _ = try await commit.value
    #expect(try await rig.number("c/a") == 2)
  }

  @Test func `that is tried again takes its turn among others, but not for ever`() async throws {
    let rig = try await rig(.emulator)
    let failed = try await rig.begin()
    try await rig.rollback(failed)
    let (first, second) = (try await rig.begin(after: failed), try await rig.begin(after: failed))
    _ = try await rig.get(["c/a"], in: first)
    // Who tries for the first time does not wait.
    let other = try await rig.begin()
    _ = try await rig.get(["c/a"], in: other)
    try await rig.rollback(other)
    let read = Task { try await rig.get(["c/a"], in: second) }
    await rig.untilSomebodyWaits()
    _ = try await rig.commit([.set("c/a", fields: ["n": 2])], in: first)
    #expect(try await read.value.first?.found.fields["n"] == 2)
    let third = try await rig.begin(after: failed)
    let late = Task { try await rig.get(["c/a"], in: third) }
    await rig.untilSomebodyWaits()
    rig.clock.advance(by: .seconds(2))
    #expect(try await late.value.count == 1)
  }

  @Test func `that is tried again waits for as long as the turn is made use of`() async throws {
    let rig = try await rig(.emulator)
    let failed = try await rig.begin()
    try await rig.rollback(failed)
    let (first, second) = (try await rig.begin(after: failed), try await rig.begin(after: failed))
    _ = try await rig.get(["c/a"], in: first)
    let read = Task { try await rig.get(["c/a"], in: second) }
    await rig.untilSomebodyWaits()
    rig.clock.advance(by: .milliseconds(1500))
    _ = try await rig.get(["c/b"], in: first)
    rig.clock.advance(by: .milliseconds(1500))
    await rig.untilSomebodyWaits()
    _ = try await rig.commit([.set("c/a", fields: ["n": 2])], in: first)
    #expect(try await read.value.first?.found.fields["n"] == 2)
  }

  @Test(arguments: [Mode.emulator, .pessimistic])
  func `that is tried again goes before one that waits for it`(mode: Mode) async throws {
    let rig = try await rig(mode)
    let failed = try await rig.begin()
    try await rig.rollback(failed)
    let (again, new) = (try await rig.begin(after: failed), try await rig.begin())
    _ = try await rig.get(["c/a"], in: again)
    _ = try await rig.get(["c/b"], in: new)
    let commit = Task { try await rig.commit([.set("c/a", fields: ["n": 2])], in: new) }
    await rig.untilSomebodyWaits()
    _ = try await rig.commit([.set("c/b", fields: ["n": 3])], in: again)
    let refusal = await #expect(throws: APIError.self) { try await commit.value }
    #expect(refusal?.message.hasPrefix("Too much contention") == true)
    #expect(try await rig.number("c/a") == 1)
    #expect(try await rig.number("c/b") == 3)
  }

  @Test func `has what it has read for itself when it is pessimistic`() async throws {
    let rig = try await rig(.pessimistic)
    let (first, second) = (try await rig.begin(), try await rig.begin())
    _ = try await rig.get(["c/a"], in: first)
    let read = Task { try await rig.get(["c/a"], in: second) }
    await rig.untilSomebodyWaits()
    _ = try await rig.commit([.set("c/a", fields: ["n": 2])], in: first)
    #expect(try await read.value.first?.found.fields["n"] == 2)
    let write = Task { try await rig.commit([.set("c/a", fields: ["n": 9])]) }
    await rig.untilSomebodyWaits()
    rig.clock.advance(by: .seconds(19))
    _ = try await rig.commit([.set("c/a", fields: ["n": 3])], in: second)
    _ = try await write.value
    #expect(try await rig.number("c/a") == 9)
  }

  @Test(arguments: Meeting.allCases)
  func `loses against a plain write when it is optimistic`(meeting: Meeting) async throws {
    let rig = try await rig(.optimistic)
    let transaction = try await rig.begin()
    try await meeting.read(transaction, rig: rig)
    try await meeting.perform(rig)
    // What does not belong to the result is not a change of it.
    if meeting == .insertBesideQuery {
      _ = try await rig.commit([.set("c/b", fields: ["n": 3])], in: transaction)
    } else {
      await #expect(throws: APIError.self) {
        try await rig.commit([.set("c/b", fields: ["n": 3])], in: transaction)
      }
      #expect(try await rig.number("c/b") == 1)
    }
  }

  @Test(arguments: Mode.allCases) func `is forgotten when nobody uses it`(mode: Mode) async throws {
    let rig = try await rig(mode)
    let transaction = try await rig.begin()
    _ = try await rig.get(["c/a"], in: transaction)
    rig.clock.advance(by: .seconds(59))
    _ = try await rig.get(["c/b"], in: transaction)
    rig.clock.advance(by: .seconds(59))
    _ = try await rig.get(["c/b"], in: transaction)
    rig.clock.advance(by: .seconds(60))
    _ = try await rig.commit([.set("c/a", fields: ["n": 2])])
    await #expect(throws: APIError.self) { try await rig.commit([], in: transaction) }
    try await rig.rollback(transaction)
  }

  @Test(arguments: Mode.allCases)
  func `does not keep documents from being cleared away`(mode: Mode) async throws {
    let rig = try await rig(mode)
    let transaction = try await rig.begin()
    _ = try await rig.get(["c/a"], in: transaction)
    try await rig.firestore.clear(Rig.database)
    _ = try await rig.commit([.set("c/a", fields: ["n": 2])])
    // ABORTED: clients run it again.
    let refusal = await #expect(throws: APIError.self) {
      try await rig.commit([.set("c/a", fields: ["n": 3])], in: transaction)
    }
    #expect(refusal?.code == .aborted)
  }

  @Test func `is over after its end, which is not unknown`() async throws {
    let rig = try await rig(.emulator)
    let transaction = try await rig.begin()
    _ = try await rig.commit([], in: transaction)
    try await rig.rollback(transaction)
    let closed = await #expect(throws: APIError.self) {
      try await rig.get(["c/a"], in: transaction)
    }
    #expect(closed?.message == "Transaction is invalid or closed.")
    for id in [Data("garbage".utf8), Data(repeating: 1, count: 16)] {
      let unknown = await #expect(throws: APIError.self) { try await rig.rollback(id) }
      #expect(unknown?.message == "Invalid transaction.")
    }
  }

  @Test func `that reads begins with a message of its own`() async throws {
    let rig = try await rig(.emulator)
    let responses = try await rig.firestore.runQuery(
      .with {
        $0.parent = Rig.database.documents
        $0.structuredQuery = .of("c")
        $0.newTransaction.readOnly = .init()
      }, as: .owner)
    #expect(responses.map { !$0.transaction.isEmpty } == [true, false, false])
    #expect(responses.map(\.hasDocument) == [false, true, true])
  }

  /// Each looked at all of them once; that took minutes.
  @Test func `is one of a hundred thousand at most`() async throws {
    let rig = try await rig(.emulator)
    for _ in 0..<100_000 { _ = try await rig.begin() }
    let refusal = await #expect(throws: APIError.self) { try await rig.begin() }
    #expect(refusal?.code == .resourceExhausted)
    rig.clock.advance(by: .seconds(60))
    _ = try await rig.begin()
  }
}

extension Rig {
  fileprivate func begin(after failed: Data = Data()) async throws(APIError) -> Data {
    try await firestore.beginTransaction(
      .with {
        $0.database = Self.database.description
        $0.options.readWrite.retryTransaction = failed
      }, as: .owner
    ).transaction
  }

  fileprivate func get(
    _ paths: [String], in transaction: Data
  ) async throws(APIError) -> [BatchGetDocumentsResponse] {
    try await firestore.batchGetDocuments(
      .with {
        $0.database = Self.database.description
        $0.documents = paths.map(name)
        $0.transaction = transaction
      }, as: .owner)
  }

  fileprivate func query(
    _ query: StructuredQuery, in transaction: Data, parent: String = Rig.database.documents
  ) async throws(APIError) -> [RunQueryResponse] {
    try await firestore.runQuery(
      .with {
        $0.parent = parent
        $0.structuredQuery = query
        $0.transaction = transaction
      }, as: .owner)
  }

  fileprivate func count(_ query: StructuredQuery, in transaction: Data) async throws(APIError) {
    _ = try await firestore.runAggregationQuery(
      .with {
        $0.parent = Self.database.documents
        $0.structuredAggregationQuery.structuredQuery = query
        $0.structuredAggregationQuery.aggregations = [.with { $0.count = .init() }]
        $0.transaction = transaction
      }, as: .owner)
  }

  fileprivate func rollback(_ transaction: Data) async throws(APIError) {
    try await firestore.rollback(
      .with {
        $0.database = Self.database.description
        $0.transaction = transaction
      }, as: .owner)
  }

  fileprivate func number(_ path: String) async throws(APIError) -> Int64? {
    try await firestore.getDocument(.with { $0.name = name(path) }, as: .owner)
      .fields["n"]?.integerValue
  }

  fileprivate func untilSomebodyWaits() async {
    while !clock.hasWaiters { await Task.yield() }
  }
}
