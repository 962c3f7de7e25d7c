import HearthFirestore
import HearthFirestoreProtos
import HearthTime
import SwiftProtobuf
import Testing

/// What queries got wrong once.
@Suite struct `A query` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  @Test func `finds bytes that begin with 0xFF`() async throws {
    try await rig.set([
      "c/a": ["b": .data([0xFF])], "c/b": ["b": .data([0xFF, 0xFF])],
      "c/c": ["b": .data([0xFF, 0xFF, 1])],
    ])
    let query = StructuredQuery.of("c").filtered(
      by: .field("b", op: .greaterThan, value: .data([1])))
    #expect(try await rig.ids(query) == ["a", "b", "c"])
  }

  /// Its order is that of names then, in which nothing is beyond the end.
  @Test func `with a fixed field in its order does not stop at another value of it`() async throws {
    try await rig.set([
      "c/a": ["n": 2, "k": 1], "c/b": ["n": 1, "k": 1], "c/c": ["n": 1, "k": 0],
      "c/d": ["n": 1, "k": 0],
    ])
    var query = StructuredQuery.of("c").ordered(by: "n")
      .filtered(
        by: .composite(
          .and, filters: [.field("n", op: .equal, value: 1), .field("k", op: .equal, value: 1)]))
    query.endAt.values = [1]
    #expect(try await rig.ids(query) == ["b"])
  }

  @Test func `with alternatives does not take one's first for the first of all`() async throws {
    try await rig.set([
      "c/a": ["n": 2, "k": 1], "c/b": ["n": 1, "k": 1], "c/c": ["n": 1, "k": 0],
      "c/d": ["n": 1, "k": 0], "c/e": ["n": 2, "k": 0], "c/f": ["n": 2, "k": 0],
    ])
    let query = StructuredQuery.of("c").ordered(by: "n").limited(to: 1)
      .filtered(
        by: .composite(
          .and,
          filters: [.field("n", op: .in, value: .list([2, 1])), .field("k", op: .equal, value: 1)]))
    #expect(try await rig.ids(query) == ["b"])
  }

  @Test func `knows ids that are numbers, and puts them first`() async throws {
    let ids = ["__id-3__", "__id7__", "__id10__", "A", "_", "a"]
    for id in ids.reversed() { try await rig.set(["c/\(id)": ["n": 1]]) }
    let query = StructuredQuery.of("c")
    #expect(try await rig.ids(query) == ids)
    #expect(try await rig.ids(query.limited(to: 2)) == ["__id-3__", "__id7__"])
    #expect(try await rig.ids(query.ordered(by: "n").limited(to: 2)) == ["__id-3__", "__id7__"])
    let before = query.filtered(by: .field("__name__", op: .lessThan, value: .document("c/A")))
    #expect(try await rig.ids(before) == Array(ids.prefix(3)))
    let response = try await rig.firestore.listDocuments(
      .with {
        $0.parent = Rig.database.documents
        $0.collectionID = "c"
        $0.showMissing = true
      }, as: .owner)
    #expect(response.documents.map(\.name) == ids.map { name("c/\($0)") })
  }

  @Test func `tells two spellings of a name apart`() async throws {
    try await rig.set(["c/é": ["n": 1], "c/e\u{301}": ["n": 2]])
    let query = StructuredQuery.of("c").filtered(by: .field("n", op: .in, value: .list([1, 2])))
    #expect(try await rig.ids(query).map(\.exact) == ["e\u{301}".exact, "é".exact])
    let response = try await rig.firestore.batchGetDocuments(
      .with {
        $0.database = Rig.database.description
        $0.documents = [name("c/é"), name("c/e\u{301}")]
      }, as: .owner)
    #expect(response.count == 2)
  }

  /// The slash and the mark are one character for Swift.
  @Test func `finds a document whose id begins with a combining mark`() async throws {
    try await rig.set(["c/\u{301}a": ["r": .document("c/\u{301}a")], "c/a": [:]])
    let query = StructuredQuery.of("c")
      .filtered(by: .field("__name__", op: .equal, value: .document("c/\u{301}a")))
    #expect(try await rig.run(query).map(\.name.exact) == [name("c/\u{301}a").exact])
  }

  /// An index entry of the member began as one of the map does.
  @Test(arguments: ["\u{1}x", "\u{2}P", "\u{3}"])
  func `finds a map once, whatever its members are called`(member: String) async throws {
    try await rig.set(["c/a": ["m": .object([member: "x"])], "c/b": ["m": .object([:])]])
    #expect(try await rig.ids(StructuredQuery.of("c").ordered(by: "m")) == ["b", "a"])
    #expect(
      try await rig.ids(.of("c").filtered(by: .field("m.`\(member)`", op: .equal, value: "x"))) == [
        "a"
      ])
  }

  /// So SDKs bound what lies below a document.
  @Test func `may be bounded by a name with a null character`() async throws {
    try await rig.set(["c/a": [:], "c/b": [:], "c/b/c/a": [:], "c/c": [:]])
    let query = StructuredQuery.with {
      $0.from = [.with { $0.allDescendants = true }]
      $0.where = .composite(
        .and,
        filters: [
          .field("__name__", op: .greaterThanOrEqual, value: .document("c/b")),
          .field("__name__", op: .lessThan, value: .document("c/b\u{0}")),
        ])
    }
    #expect(try await rig.run(query).map(\.name) == [name("c/b"), name("c/b/c/a")])
  }

  @Test func `finds the nearest of the past`() async throws {
    try await rig.set([
      "c/far": ["v": .vector([.float(9), .float(9)])],
      "c/near": ["v": .vector([.float(1), .float(1)])],
      "c/gone": ["v": .vector([.float(2), .float(2)])],
    ])
    let time = try await rig.commit([.set("z/a", fields: [:])]).commitTime.microseconds
    _ = try await rig.commit([
      .delete("c/gone"), .set("c/new", fields: ["v": .vector([.float(0), .float(0)])]),
    ])
    var query = StructuredQuery.of("c")
    query.findNearest.vectorField.fieldPath = "v"
    query.findNearest.queryVector = .vector([.float(0), .float(0)])
    query.findNearest.distanceMeasure = .euclidean
    query.findNearest.limit = .with { $0.value = 2 }
    #expect(try await rig.ids(query) == ["new", "near"])
    let past = try await rig.run(query, at: time)
    #expect(past.map(\.name) == [name("c/near"), name("c/gone")])
  }

  /// https://firebase.google.com/docs/firestore/query-data/aggregation-queries
  @Test func `that aggregates several fields is of the documents that have all of them`()
    async throws
  {
    try await rig.set([
      "c/a": ["pages": 100, "year": 1980], "c/b": ["pages": 50, "year": 2020],
      "c/c": ["pages": 50],
    ])
    let found = try await rig.aggregate(
      .of("c"),
      aggregations: [
        .with {
          $0.alias = "pages"
          $0.sum.field.fieldPath = "pages"
        },
        .with {
          $0.alias = "year"
          $0.avg.field.fieldPath = "year"
        },
        .with {
          $0.alias = "count"
          $0.count = .init()
        },
      ])
    #expect(found == ["pages": 150, "year": .float(2000), "count": 2])
  }
}
