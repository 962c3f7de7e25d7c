import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

private typealias Filter = StructuredQuery.Filter

private let query = StructuredQuery.of("c")

private func every(of collection: String = "") -> StructuredQuery {
  .of(collection, everywhere: true)
}

private func both(_ filters: Filter...) -> Filter { .composite(.and, filters: filters) }
private func either(_ filters: Filter...) -> Filter { .composite(.or, filters: filters) }

private let elsewhere = Value.with {
  $0.referenceValue = "projects/other/databases/(default)/documents/c/a"
}
private let equalToName = Filter.field("__name__", op: .equal, value: .document("c/a"))
/// A range that holds nothing.
private let never = Filter.field("b", op: .lessThan, value: .float(.nan))

/// What looks as if it were refused.
@Suite struct `A query is answered` {
  private let rig: Rig

  init() async throws {
    rig = try Rig()
    try await rig.set([
      "c/a": ["a": 1, "t": .list([1])], "c/a/sub/x": ["a": 1], "c/a/sub/x/sub/y": [:],
      "c/b": ["a": 2], "d/a": [:],
    ])
  }

  private static let anywhere: [(StructuredQuery, [String])] = [
    (StructuredQuery(), ["c/a", "c/b", "d/a"]), (.of(""), ["c/a", "c/b", "d/a"]),
    (
      .of("").filtered(by: .field("__name__", op: .greaterThan, value: .document("c/a"))),
      ["c/b", "d/a"]
    ),
    (every(), ["c/a", "c/a/sub/x", "c/a/sub/x/sub/y", "c/b", "d/a"]),
    (query.filtered(by: .composite(.and, filters: [])), ["c/a", "c/b"]),
    (
      query.filtered(by: .field("a", op: .equal, value: 1)).ordered(
        by: "__name__", descending: true),
      ["c/a"]
    ),
    (query.filtered(by: both(equalToName, .field("a", op: .equal, value: 1))), ["c/a"]),
    (
      query.filtered(
        by: both(equalToName, .field("__name__", op: .lessThan, value: .document("c/b")))), ["c/a"]
    ),
    (
      query.filtered(
        by: .composite(.or, filters: Array(repeating: .field("a", op: .equal, value: 1), count: 31))
      ),
      ["c/a"]
    ),
    (
      query.filtered(
        by: both(
          .field("t", op: .arrayContains, value: 1), .field("t", op: .arrayContains, value: 1))),
      ["c/a"]
    ),
    (query.filtered(by: .field("a", op: .notEqual, value: elsewhere)), ["c/a", "c/b"]),
    (query.ordered(by: "____"), []),
    (query.starting(), []), (query.ordered(by: "a").ending(before: true), []),
    (query.starting(before: true).ending(), ["c/a", "c/b"]),
    (query.filtered(by: either(never, .field("a", op: .equal, value: 1))), ["c/a"]),
    (query.filtered(by: never).ordered(by: "__name__", descending: true), []),
    (query.filtered(by: both(never, equalToName)), []),
    (query.filtered(by: .field("b", op: .notEqual, value: .nothing)).ordered(by: "__name__"), []),
    (
      query.filtered(by: .field("b", op: .notIn, value: .list([.nothing]))).ordered(by: "__name__"),
      []
    ),
  ]

  @Test(arguments: anywhere)
  func `from anywhere`(query: StructuredQuery, wanted: [String]) async throws {
    #expect(try await rig.run(query).map(\.name) == wanted.map(name))
  }

  private static let inDocument: [(StructuredQuery, [String])] = [
    (every(of: "sub"), ["c/a/sub/x", "c/a/sub/x/sub/y"]), (.of(""), ["c/a/sub/x"]),
    (
      every(of: "sub").filtered(by: .field("__name__", op: .equal, value: .document("c/a/sub/x"))),
      ["c/a/sub/x"]
    ),
  ]

  @Test(arguments: inDocument)
  func `below a document`(query: StructuredQuery, wanted: [String]) async throws {
    #expect(try await rig.run(query, parent: name("c/a")).map(\.name) == wanted.map(name))
  }

  @Test func `as done with its last message`() async throws {
    for (collection, wanted) in [("c", [false, true]), ("none", [true])] {
      let found = try await rig.firestore.runQuery(
        .with {
          $0.parent = Rig.database.documents
          $0.structuredQuery = .of(collection)
        }, as: .owner)
      #expect(found.map(\.done) == wanted)
    }
  }

  @Test func `with none counted up to zero`() async throws {
    #expect(try await rig.aggregate(query, aggregations: [.counting(upTo: 0)])["field_1"] == 0)
  }
}

/// Neither is less, equal or greater; only the tests for them find them.
@Suite struct `Null and NaN in queries` {
  private let rig: Rig

  init() async throws {
    rig = try Rig()
    try await rig.set([
      "c/nan": ["x": .float(.nan)], "c/null": ["x": .nothing], "c/zero": ["x": 0],
      "c/list": ["x": .list([.nothing, .float(.nan)])], "c/text": ["x": "s"],
    ])
  }

  private static let allButNull = ["nan", "zero", "text", "list"]

  @Test(
    arguments: [
      (.field("x", op: .lessThan, value: 1), ["zero"]),
      (.field("x", op: .lessThanOrEqual, value: 1), ["zero"]),
      (.field("x", op: .greaterThan, value: -1), ["zero"]),
      (.field("x", op: .lessThan, value: .float(.nan)), []),
      (.field("x", op: .lessThanOrEqual, value: .float(.nan)), []),
      (.field("x", op: .greaterThan, value: .float(.nan)), []),
      (.field("x", op: .greaterThanOrEqual, value: .float(.nan)), []),
      (.field("x", op: .equal, value: .float(.nan)), []),
      (.field("x", op: .notEqual, value: .float(.nan)), allButNull),
      (.field("x", op: .lessThanOrEqual, value: .nothing), []),
      (.field("x", op: .greaterThanOrEqual, value: .nothing), []),
      (.field("x", op: .equal, value: .nothing), []),
      (.field("x", op: .notEqual, value: .nothing), []),
      (.field("x", op: .in, value: .list([.float(.nan), .nothing, 0])), ["zero"]),
      (.field("x", op: .notIn, value: .list([.float(.nan)])), allButNull),
      (.field("x", op: .notIn, value: .list([.nothing])), []),
      (.field("x", op: .arrayContains, value: .nothing), []),
      (.field("x", op: .arrayContains, value: .float(.nan)), []),
      (.unary("x", op: .isNan), ["nan"]), (.unary("x", op: .isNull), ["null"]),
      (.unary("x", op: .isNotNan), ["zero", "text", "list"]),
      (.unary("x", op: .isNotNull), allButNull),
    ] as [(StructuredQuery.Filter, [String])])
  func `are found by their own tests only`(
    filter: StructuredQuery.Filter, wanted: [String]
  ) async throws {
    #expect(try await rig.ids(query.filtered(by: filter)) == wanted)
    #expect(try await rig.ids(query.filtered(by: filter).limited(to: 9)) == wanted)
  }
}

@Suite struct `Timestamps with nanoseconds in queries` {
  private let rig: Rig

  init() async throws {
    rig = try Rig()
    try await rig.set([
      "c/a": [
        "t": .time(1, nanos: 1700), "l": .list([.time(1, nanos: 1700)]),
        "m": .object(["t": .time(1, nanos: 1700)]),
      ]
    ])
  }

  private static let time = Value.time(1, nanos: 1700)
  private static let map = Value.object(["t": time])

  /// Observed: within arrays and maps they are compared as they are stored.
  @Test(
    arguments: [
      (.field("t", op: .equal, value: time), false),
      (.field("t", op: .lessThan, value: time), true),
      (.field("t", op: .in, value: .list([time])), true),
      (.field("t", op: .notIn, value: .list([time])), false),
      (.field("m", op: .equal, value: map), true), (.field("m", op: .notEqual, value: map), false),
      (.field("m", op: .lessThanOrEqual, value: map), true),
      (.field("m", op: .in, value: .list([map])), true),
      (.field("l", op: .equal, value: .list([time])), true),
      (.field("l", op: .arrayContains, value: time), false),
      (.field("l", op: .arrayContainsAny, value: .list([time])), true),
    ] as [(StructuredQuery.Filter, Bool)])
  func `lose them within arrays and maps`(
    filter: StructuredQuery.Filter, isFound: Bool
  ) async throws {
    #expect(try await rig.ids(query.filtered(by: filter)).isEmpty == !isFound)
  }
}

@Suite struct `The nearest` {
  private let rig: Rig

  init() async throws {
    rig = try Rig()
    try await rig.set([
      "c/a": ["v": .vector([.float(1), .float(0)]), "m": .object([:])],
      "c/b": ["v": .vector([.float(0.3), .float(0.4)])],
      "c/zero": ["v": .vector([.float(0), .float(0)])],
    ])
  }

  private func found(_ query: StructuredQuery, field: String) async throws -> [String] {
    try await rig.run(query).map { document in
      let id = document.name.split(separator: "/").last ?? ""
      return "\(id) \(document.fields[field]?.doubleValue ?? -1)"
    }
  }

  @Test func `is at no distance from its equal`() async throws {
    let vector = Value.vector([.float(0.3), .float(0.4)])
    #expect(try await found(query.nearest(vector, threshold: 0), field: "d") == ["b 0.0"])
  }

  @Test func `has no direction where it is zero`() async throws {
    #expect(try await found(query.nearest(), field: "d") == ["a 0.0", "b 0.4", "zero nan"])
    #expect(try await found(query.nearest(threshold: 2), field: "d") == ["a 0.0", "b 0.4"])
  }

  @Test func `has its distance in one field, also where the name has a dot`() async throws {
    #expect(try await found(query.nearest(limit: 1, result: "m.d"), field: "m.d") == ["a 0.0"])
  }
}
