import HearthErrors
import HearthFirestoreProtos
import HearthFirestoreRules
import HearthTestSupport
import SwiftProtobuf
import Testing

@testable import HearthFirestore

/// Rules that cost more than a transaction of the store may take are decided elsewhere, and the
/// outcome is the same.
@Suite(.timeLimit(.minutes(30))) struct `Expensive rules` {
  /// Costs several portions.
  private static let functions = """
    function f(a) { let b = [a, a]; let c = [b, b]; let d = [c, c]; return [d, d]; }
    function heavy() { let a = f(f(f(f([1, 1, 1, 1])))); return a == a; }
    function data(id) { return get(/databases/$(d)/documents/c/$(id)).data; }
    function dataAfter(id) { return getAfter(/databases/$(d)/documents/c/$(id)).data; }
    """

  private let rig: Rig

  init() async throws {
    rig = try Rig(rules: RulesTable(budget: 1_000_000))
    try await rig.set(["c/a": ["n": 1], "c/b": ["n": 1]])
  }

  private func allow(_ methods: String, if condition: String) throws {
    try rig.set(
      rules: "\(Self.functions) match /c/{x} { allow \(methods): if heavy() && \(condition); }")
  }

  private func get(_ id: String) async throws -> Document {
    try await rig.firestore.getDocument(.with { $0.name = name("c/\(id)") }, as: .nobody)
  }

  /// How often the rules said what.
  private func counts() -> [Int] {
    let nodes = rig.firestore.rules.ruleset(of: Rig.database)?.parts.first?.coverage ?? []
    return nodes.filter(\.isAllow).flatMap { $0.counts.map(\.count) }
  }

  @Test func `allow`() async throws {
    try allow("get", if: "data('b').n == resource.data.n")
    #expect(try await get("a").fields == ["n": 1])
    #expect(counts() == [1])
  }

  @Test func `refuse, and say why`() async throws {
    try allow("get", if: "data('b').n == 2")
    let error = await #expect(throws: APIError.self) { _ = try await get("a") }
    #expect(error?.code.row.status == "PERMISSION_DENIED")
    #expect(error?.explanation?.contains("data('b')") == true, "\(error?.explanation ?? "")")
    #expect(counts() == [1])
  }

  @Test func `are asked about each document of a request`() async throws {
    try allow("get", if: "resource.data.n == 1")
    let found = try await rig.firestore.batchGetDocuments(
      .with {
        $0.database = Rig.database.description
        $0.documents = [name("c/a"), name("c/b")]
      }, as: .nobody)
    #expect(found.map(\.found.fields) == [["n": 1], ["n": 1]])
    #expect(counts() == [2])
  }

  @Test func `see what a commit leaves`() async throws {
    try allow("write", if: "data('b').n == 1 && dataAfter('b').n == 2")
    _ = try await rig.commit(
      [.set("c/a", fields: ["n": 2]), .set("c/b", fields: ["n": 2])], as: .nobody)
    #expect(try await rig.run(.of("c")).map(\.fields) == [["n": 2], ["n": 2]])
    #expect(counts() == [2])
  }

  @Test func `see the writes to a document as one`() async throws {
    try allow("write", if: "request.resource.data.n == resource.data.n + 2")
    _ = try await rig.commit(
      [.set("c/a", fields: ["n": 2]), .set("c/a", fields: ["n": 3])], as: .nobody)
    #expect(try await rig.run(.of("c")).map(\.fields) == [["n": 3], ["n": 1]])
  }

  @Test func `undo what they refuse`() async throws {
    try allow("write", if: "dataAfter('b').n == 3")
    let error = await #expect(throws: APIError.self) {
      _ = try await rig.commit(
        [.set("c/a", fields: ["n": 2]), .set("c/b", fields: ["n": 2])], as: .nobody)
    }
    #expect(error?.code.row.status == "PERMISSION_DENIED")
    #expect(try await rig.run(.of("c")).map(\.fields) == [["n": 1], ["n": 1]])
  }

  @Test func `have one budget for a request`() async throws {
    try allow("write", if: "true")
    let error = await #expect(throws: APIError.self) {
      _ = try await rig.commit((0..<3).map { .set("c/\($0)", fields: [:]) }, as: .nobody)
    }
    #expect(error?.message.contains("more than the rules budget of 1000000 units") == true)
    #expect(try await rig.ids(.of("c")) == ["a", "b"])
  }

  @Test func `judge queries`() async throws {
    try allow("list", if: "resource.data.n == 1")
    func run(_ value: Value) async throws -> [RunQueryResponse] {
      try await rig.firestore.runQuery(
        .with {
          $0.parent = Rig.database.documents
          $0.structuredQuery = .of("c").filtered(by: .field("n", op: .equal, value: value))
        }, as: .nobody)
    }
    #expect(try await run(1).filter(\.hasDocument).count == 2)
    await #expect(throws: APIError.self) { _ = try await run(2) }
  }

  @Test func `judge listeners at each change`() async throws {
    try allow("read", if: "data('b').n == 1")
    var listening = Listening(rig, as: .nobody)
    listening.add(.documents(2, paths: ["c/a"]))
    for _ in 0..<4 { _ = await listening.next() }
    try await rig.set(["c/a": ["n": 5]])
    #expect(await listening.next()?.documentChange.document.fields == ["n": 5])
    _ = await listening.next()
    try await rig.set(["c/b": ["n": 2]])
    await listening.expectRefusal(2)
    try await listening.end()
  }

  /// Asks the rules about `c/a`, with something that happens before each transaction.
  private func ask(before: (_ round: Int) throws(APIError) -> Void) async throws(APIError) {
    let firestore = rig.firestore
    var round = 0
    try await RuleVerdicts.settle(in: firestore, database: Rig.database) {
      verdicts throws(APIError) in
      round += 1
      try before(round)
      try firestore.read { documents throws(APIError) in
        let path = try ResourcePath.document(name("c/a"))
        try RulesGate(
          firestore, caller: .nobody, database: Rig.database, documents: documents,
          verdicts: verdicts)?
          .checkGet(path, stored: try documents.document(at: path))
      }
    }
  }

  @Test func `are asked again when what they looked up has changed`() async throws {
    try allow("get", if: "data('b').n == 1")
    var rounds = 0
    let error = await #expect(throws: APIError.self) {
      try await ask { round throws(APIError) in
        rounds = round
        if round == 2 { try rig.firestore.write("c/b", fields: ["n": 2]) }
      }
    }
    // Decided when b had 1, asked again when it had 2, and decided once more.
    #expect(rounds == 3)
    #expect(error?.code.row.status == "PERMISSION_DENIED")
  }

  @Test func `that never see the same documents are contention`() async throws {
    try allow("get", if: "data('b').n > 0")
    let error = await #expect(throws: APIError.self) {
      try await ask { round throws(APIError) in
        try rig.firestore.write("c/b", fields: ["n": .with { $0.integerValue = Int64(round) }])
      }
    }
    #expect(error?.code.row.status == "ABORTED")
  }
}
