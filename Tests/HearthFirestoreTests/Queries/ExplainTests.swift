import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

@testable import HearthFirestore
@testable import HearthFirestoreJSON

@Suite struct `Explain` {
  private static func walk(_ members: [[Int]]) -> IndexWalk {
    IndexWalk(members: members.map { $0.map { [[UInt8($0)]] } }) { $0[0].isLess(than: $1[0]) }
  }

  /// The places of entries, as recorded of production.
  @Test(arguments: [
    ([[1, 4], [1, 3, 5]], 5), ([[1, 4, 10, 11, 12, 13], [1, 3, 5]], 6),
    ([[2, 5], [0, 2, 4, 10, 11, 12, 13]], 5), ([[1], [1]], 2), ([[1], [1], [1]], 3),
    ([[], [1]], 0), ([[1], []], 1), ([[1, 2, 3]], 3), ([[]], 0),
  ])
  func `counts the entries of a merge`(members: [[Int]], entries: Int) {
    #expect(Self.walk(members).steps(until: .max) == entries)
  }

  @Test func `stops after what is wanted`() {
    #expect(Self.walk([[1, 2, 3, 4]]).steps(until: 2) == 2)
    #expect(Self.walk([[1, 2, 3], [1, 2, 3]]).steps(until: 1) == 2)
    #expect(Self.walk([[1, 2, 3], [1, 2, 3]]).steps(until: 2) == 4)
  }

  private static let both = StructuredQuery.of("c").filtered(
    by: .composite(
      .and, filters: [.field("a", op: .equal, value: 1), .field("b", op: .greaterThan, value: 1)]))

  @Test(arguments: [
    (StructuredQuery.of("c"), ["(__name__ ASC)"]),
    (.of("c").ordered(by: "a", descending: true), ["(a DESC, __name__ DESC)"]),
    (
      .of("c").filtered(by: .field("a", op: .notIn, value: .list([1, 2]))),
      ["(a ASC, __name__ ASC)", "(a ASC, __name__ ASC)", "(a ASC, __name__ ASC)"]
    ),
    (both, ["(a ASC, b ASC, __name__ ASC)"]),
    (
      .of("c").filtered(by: .field("__name__", op: .equal, value: .document("c/a"))),
      ["(__name__ ASC)"]
    ),
  ])
  func `names the indexes`(query: StructuredQuery, indexes: [String]) throws {
    let query = try Query(parent: ResourcePath.parent(Rig.database.documents), query)
    #expect(ExplainedPlan(query).indexes.map(\.properties) == indexes)
  }

  @Test func `has the plan alone, or the rows with plan and cost`() async throws {
    let rig = try Rig()
    try await rig.set(["c/a": ["a": 1], "c/b": ["a": 2], "c/c": ["a": 3]])
    func ask(analyze: Bool) async throws -> [RunQueryResponse] {
      try await rig.firestore.runQuery(
        .with {
          $0.parent = Rig.database.documents
          $0.structuredQuery = .of("c").ordered(by: "a")
          $0.structuredQuery.limit.value = 2
          $0.explainOptions.analyze = analyze
        }, as: .owner)
    }
    let plan = try await ask(analyze: false)
    #expect(plan.count == 1)
    #expect(!plan[0].hasReadTime && !plan[0].explainMetrics.hasExecutionStats)
    let rows = try await ask(analyze: true)
    #expect(rows.map(\.hasExplainMetrics) == [false, true])
    let stats = rows[1].explainMetrics.executionStats
    #expect(stats.resultsReturned == 2 && stats.readOperations == 2)
    #expect(stats.debugStats.fields["index_entries_scanned"]?.stringValue == "3")
  }

  @Test func `asks the rules`() async throws {
    let rig = try Rig()
    try rig.set(rules: "match /open/{id} { allow read; }")
    func ask(_ collection: String) async throws(APIError) {
      _ = try await rig.firestore.runQuery(
        .with {
          $0.parent = Rig.database.documents
          $0.structuredQuery = .of(collection)
          $0.explainOptions = .init()
        }, as: .nobody)
    }
    try await ask("open")
    let error = await #expect(throws: APIError.self) { try await ask("closed") }
    #expect(error?.code == .permissionDenied)
  }

  @Test func `has JSON`() throws {
    var cost = ExecutionCost(results: 3, documents: 3, entries: 8, vectors: 8)
    let metrics = ExplainMetrics.with { $0.executionStats = cost.statistics(after: 1_500_000) }
    #expect(
      String(decoding: try FirestoreJSON.encode(metrics), as: UTF8.self)
        == #"{"executionStats":{"resultsReturned":"3","executionDuration":"1.500s","#
        + #""readOperations":"4","debugStats":{"billing_details":{"documents_billable":"3","#
        + #""index_entries_billable":"0","knn_vector_index_entries_billable":"8","#
        + #""min_query_cost":"0","small_ops":"0"},"documents_scanned":"3","#
        + #""index_entries_scanned":"8"}}}"#)
    cost = ExecutionCost(results: 1, entries: 1001, isAggregation: true)
    #expect(cost.statistics(after: 0).readOperations == 2)
  }
}
