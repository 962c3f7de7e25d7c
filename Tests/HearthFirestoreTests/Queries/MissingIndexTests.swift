import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthOperations
import HearthWire
import SwiftProtobuf
import Testing

@Suite("Queries that miss an index")
struct MissingIndexTests {
  private static let query = StructuredQuery.of("c").filtered(by: .field("a", op: .equal, value: 1))
    .ordered(by: "b")

  private func rig(_ mode: Switches.IndexMode) async throws -> Rig {
    let rig = try Rig { $0.indexes = mode }
    try await rig.set([
      "c/x": ["a": 1, "b": 2], "c/y": ["a": 1, "b": 1], "c/z": ["a": 2, "b": 0],
    ])
    return rig
  }

  private static let index: JSON = [
    "indexes": [
      [
        "collectionGroup": "c",
        "fields": [
          ["fieldPath": "a", "order": "ASCENDING"], ["fieldPath": "b", "order": "ASCENDING"],
        ],
      ]
    ]
  ]

  @Test func enforcedUntilTheIndexIsThere() async throws {
    let rig = try await rig(.enforce)
    let error = await #expect(throws: APIError.self) { try await rig.ids(Self.query) }
    #expect(error?.code == .failedPrecondition)
    #expect(
      error?.message
        == "The query requires an index. You can create it here: "
        + "http://127.0.0.1:4000/v1/r/project/demo/firestore/indexes?create_composite="
        + "Cj5wcm9qZWN0cy9kZW1vL2RhdGFiYXNlcy8oZGVmYXVsdCkvY29sbGVjdGlvbkdyb3Vwcy9jL2luZGV4ZXMvXxABGg"
        + "UKAWEQARoFCgFiEAEaDAoIX19uYW1lX18QAQ")
    try rig.firestore.setIndexes(of: Rig.database, Self.index)
    #expect(try await rig.ids(Self.query) == ["y", "x"])
    let report = rig.firestore.indexReport(of: Rig.database)
    #expect(report["missing"]?.array?.map { $0["served"] } == [true])
    #expect(report["unused"]?.array?.isEmpty == true)
  }

  @Test func offAndWarnAnswer() async throws {
    for mode in [Switches.IndexMode.off, .warn] {
      let rig = try await rig(mode)
      #expect(try await rig.ids(Self.query) == ["y", "x"])
      #expect(try await rig.ids(Self.query.limited(to: 1)) == ["y"])
      let missing = rig.firestore.indexReport(of: Rig.database)["missing"]?.array ?? []
      #expect(missing.map { $0["count"] } == (mode == .off ? [] : [2]))
      #expect(missing.first?["caller"] == (mode == .off ? nil : "owner"))
    }
  }

  @Test(arguments: [Switches.IndexMode.off, .warn])
  func aCallHearsWhatItMisses(_ mode: Switches.IndexMode) async throws {
    let rig = try await rig(mode)
    let missed = MissedIndexes()
    try await missed.collect { _ = try await rig.ids(Self.query) }
    let json = missed.explanation.flatMap { try? JSON.parse(Array($0.utf8)) }
    #expect(
      json?["query"] == (mode == .off ? nil : "collection c where a == … order by b"))
    let other = MissedIndexes()
    try await other.collect { _ = try await rig.ids(.of("c")) }
    #expect(other.explanation == nil)
  }

  @Test func sumsNeedTheirFields() async throws {
    let rig = try await rig(.enforce)
    let query = StructuredQuery.of("c").filtered(by: .field("a", op: .equal, value: 1))
    let sum = Aggregation.with { $0.sum.field.fieldPath = "b" }
    await #expect(throws: APIError.self) { try await rig.aggregate(query, aggregations: [sum]) }
    _ = try await rig.aggregate(query, aggregations: [.with { $0.count = .init() }])
    try rig.firestore.setIndexes(of: Rig.database, Self.index)
    #expect(try await rig.aggregate(query, aggregations: [sum]).first?.value == 3)
  }

  @Test func namesAreReadBackwardsWithAnIndex() async throws {
    let query = StructuredQuery.of("c").ordered(by: "__name__", descending: true)
    let off = try await rig(.off)
    let known = await #expect(throws: APIError.self) { try await off.ids(query) }
    #expect(known?.message == "Firestore does not support descending key scans")
    let rig = try await rig(.enforce)
    let error = await #expect(throws: APIError.self) { try await rig.ids(query) }
    #expect(error?.message.hasPrefix("The query requires an index.") == true)
    try rig.firestore.setIndexes(
      of: Rig.database,
      [
        "indexes": [
          [
            "collectionGroup": "c",
            "fields": [["fieldPath": "__name__", "order": "DESCENDING"]],
          ]
        ]
      ])
    #expect(try await rig.ids(query) == ["z", "y", "x"])
  }

  @Test func rulesComeFirst() async throws {
    let rig = try await rig(.enforce)
    try rig.set(rules: "match /c/{d} { allow read: if false; }")
    let error = await #expect(throws: APIError.self) {
      try await rig.firestore.runQuery(
        .with {
          $0.parent = Rig.database.documents
          $0.structuredQuery = Self.query
        }, as: .nobody)
    }
    #expect(error?.code == .permissionDenied)
    #expect(rig.firestore.indexReport(of: Rig.database)["missing"]?.array?.isEmpty == true)
  }

  @Test func onceForEachShape() async throws {
    let rig = try await rig(.warn)
    for value in 0..<5 as Range<Int64> {
      let query = StructuredQuery.of("c").filtered(by: .field("a", op: .equal, value: .int(value)))
        .ordered(by: "b")
      _ = try await rig.ids(query)
    }
    let missing = rig.firestore.indexReport(of: Rig.database)["missing"]?.array ?? []
    #expect(missing.map { $0["query"] } == ["collection c where a == … order by b"])
    #expect(missing.map { $0["count"] } == [5])
    let checked = try rig.firestore.checkIndexes(of: Rig.database, Self.index)
    #expect(checked["missing"]?.array?.isEmpty == true)
    let empty = try rig.firestore.checkIndexes(of: Rig.database, ["indexes": []])
    #expect(empty["missing"]?.array?.count == 1)
  }

  @Test func mistakesLeaveWhatIsThere() throws {
    let rig = try Rig { $0.indexes = .enforce }
    try rig.firestore.setIndexes(of: Rig.database, Self.index)
    let error = #expect(throws: APIError.self) {
      try rig.firestore.setIndexes(of: Rig.database, ["indexes": [[:]]])
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("indexes[0]: Must contain \"collectionGroup\"") == true)
    let state = rig.firestore.indexesState(of: "demo")
    #expect(state["(default)"]?["indexes"]?.array?.count == 1)
    rig.firestore.removeIndexes(of: "demo")
    #expect(rig.firestore.indexesState(of: "demo") == [:])
    rig.firestore.restoreIndexes(state, of: "demo")
    #expect(rig.firestore.indexesState(of: "demo") == state)
  }
}
