import HearthErrors
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

@testable import HearthFirestore

/// Queries that read much do it in several transactions.
@Suite(.timeLimit(.minutes(30))) struct `A query in portions` {
  private static let count = 5000
  private let rig: Rig

  init() async throws {
    rig = try Rig()
    for start in stride(from: 0, to: Self.count, by: 500) {
      _ = try await rig.commit(
        (start..<start + 500).map { number in
          // Ids in another order than the numbers.
          .set(
            "c/d\(number * 7919 % Self.count)",
            fields: [
              "n": .with { $0.integerValue = Int64(number) }, "even": number % 2 == 0 ? 1 : 0,
              "tag": .with { $0.stringValue = "t\(number % 3)" },
            ])
        })
    }
  }

  private func query(_ structured: StructuredQuery) throws -> Query {
    try Query(parent: ResourcePath.parent(Rig.database.documents), structured)
  }

  private static let queries: [StructuredQuery] = [
    .of("c"), .of("c").ordered(by: "n"), .of("c").ordered(by: "n", descending: true),
    .of("c").ordered(by: "tag").ordered(by: "n", descending: true),
    .of("c").filtered(by: .field("n", op: .greaterThan, value: 10)).ordered(by: "n").limited(
      to: 4500),
    .of("c").filtered(
      by: .composite(
        .or,
        filters: [.field("even", op: .equal, value: 1), .field("tag", op: .equal, value: "t1")])),
    .with {
      $0 = .of("c").ordered(by: "n")
      $0.offset = 4990
    },
    .of("c", everywhere: true).filtered(by: .field("tag", op: .notEqual, value: "t0")),
  ]

  @Test(arguments: queries.indices)
  func `has the result of one transaction`(index: Int) async throws {
    let whole = try query(Self.queries[index])
    let expected = try rig.firestore.read { documents throws(APIError) in
      try documents.run(whole).documents.map(\.path.text)
    }
    #expect(!expected.isEmpty)
    #expect(try await rig.run(Self.queries[index]).map(\.name) == expected)
    // By a few documents at a time, each cut is somewhere else.
    var scan = QueryScan(whole)
    var portions = 0
    while try !rig.firestore.read({ documents throws(APIError) in
      try scan.advance(in: documents, rows: 7)
    }) { portions += 1 }
    #expect(portions > 100)
    #expect(try scan.result().documents.map(\.path.text) == expected)
  }

  @Test func `sums everything`() async throws {
    let values = try await rig.aggregate(
      .of("c").filtered(by: .field("even", op: .equal, value: 1)),
      aggregations: [
        .with {
          $0.alias = "sum"
          $0.sum.field.fieldPath = "n"
        },
        .with {
          $0.alias = "count"
          $0.count = .init()
        },
      ])
    #expect(values == ["sum": 6_247_500, "count": 2500])
  }

  /// Runs a query, and does something after its first portion.
  private func run(
    _ structured: StructuredQuery, after first: (Firestore) throws(APIError) -> Void
  ) throws -> (ids: [String], portions: Int) {
    let firestore = rig.firestore
    let portions = QueryPortions(try query(structured), in: firestore)
    var count = 0
    var isOver = false
    while !isOver {
      isOver = try firestore.read { documents throws(APIError) in
        try portions.advance(in: Snapshot(documents))
      }
      count += 1
      if count == 1 { try first(firestore) }
    }
    return (try portions.result().documents.map(\.path.id), count)
  }

  @Test func `begins again when a document of it changes`() throws {
    let (ids, portions) = try run(.of("c").ordered(by: "n")) { firestore throws(APIError) in
      try firestore.write("c/first", fields: ["n": -1])
    }
    #expect(ids.first == "first" && ids.count == Self.count + 1 && portions == 4)
  }

  @Test func `goes on when another document changes`() throws {
    let (ids, portions) = try run(.of("c").ordered(by: "n")) { firestore throws(APIError) in
      try firestore.write("other/first", fields: ["n": -1])
    }
    #expect(ids.count == Self.count && portions == 3)
  }

  @Test func `begins again when everything is cleared`() async throws {
    let firestore = rig.firestore
    let portions = QueryPortions(try query(.of("c").ordered(by: "n")), in: firestore)
    func advance() throws -> Bool {
      try firestore.read { documents throws(APIError) in
        try portions.advance(in: Snapshot(documents))
      }
    }
    #expect(try !advance())
    try await firestore.clear(Rig.database)
    #expect(try advance())
    #expect(try portions.result().documents.isEmpty)
  }

  @Test func `ends though the collection always changes`() throws {
    let firestore = rig.firestore
    let portions = QueryPortions(try query(.of("c").ordered(by: "n")), in: firestore)
    var count: Int64 = 0
    while try !firestore.read({ documents throws(APIError) in
      try portions.advance(in: Snapshot(documents))
    }) {
      count += 1
      try firestore.write("c/new", fields: ["n": .with { $0.integerValue = -count }])
    }
    #expect(try portions.result().documents.count == Self.count + 1)
    #expect(count < 20)
  }

  @Test func `asks rules again when they or their documents change`() async throws {
    try rig.set(rules: "match /c/{x} { allow list: if true; }")
    let firestore = rig.firestore
    let portions = QueryPortions(try query(.of("c")), in: firestore)
    #expect(portions.isFirst && portions.needsRulesCheck)
    let isOver = try firestore.read { documents throws(APIError) in
      try portions.advance(in: Snapshot(documents))
    }
    #expect(!isOver && !portions.isFirst && !portions.needsRulesCheck)
    try rig.set(rules: "match /c/{x} { allow list: if false; }")
    #expect(portions.needsRulesCheck)
  }
}
