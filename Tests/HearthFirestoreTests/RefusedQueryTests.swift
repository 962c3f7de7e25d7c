import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

private typealias Filter = StructuredQuery.Filter

private let query = StructuredQuery.of("c")

private func every(of collection: String = "") -> StructuredQuery {
  .of(collection, everywhere: true)
}

private func both(_ filters: Filter...) -> Filter { .composite(.and, filters) }
private func either(_ filters: Filter...) -> Filter { .composite(.or, filters) }

private func reference(_ name: String) -> Value { .with { $0.referenceValue = name } }
private let elsewhere = reference("projects/other/databases/(default)/documents/c/a")

extension StructuredQuery {
  fileprivate func starting(at values: Value..., before: Bool = false) -> StructuredQuery {
    var query = self
    query.startAt.values = values
    query.startAt.before = before
    return query
  }

  fileprivate func ending(at values: Value..., before: Bool = false) -> StructuredQuery {
    var query = self
    query.endAt.values = values
    query.endAt.before = before
    return query
  }

  fileprivate func showing(_ field: String) -> StructuredQuery {
    var query = self
    query.select.fields = [.with { $0.fieldPath = field }]
    return query
  }

  fileprivate func skipping(_ count: Int32) -> StructuredQuery {
    var query = self
    query.offset = count
    return query
  }

  fileprivate func nearest(
    _ vector: Value = .vector([.float(1), .float(0)]),
    measure: FindNearest.DistanceMeasure = .cosine,
    limit: Int32 = 10, threshold: Double? = nil, result: String = "d"
  ) -> StructuredQuery {
    var query = self
    query.findNearest.vectorField.fieldPath = "v"
    query.findNearest.queryVector = vector
    query.findNearest.distanceMeasure = measure
    query.findNearest.limit = .with { $0.value = limit }
    query.findNearest.distanceResultField = result
    if let threshold { query.findNearest.distanceThreshold = .with { $0.value = threshold } }
    return query
  }
}

private let equalToName = Filter.field("__name__", .equal, .document("c/a"))
/// A range that holds nothing.
private let never = Filter.field("b", .lessThan, .float(.nan))
private let inName = Filter.field("__name__", .in, .list([.document("c/a")]))
private let afterKey = "order by clause cannot contain more fields after the key"
private let keyEquality = "Equality on key is not allowed if there are other inequality fields"
private let descending = "Firestore does not support descending key scans"
private let onlyRoot = "collection group queries are only allowed at the root parent"
private let tooManyValues = "Cursor has too many values."
private let long = String(repeating: "x", count: 1501)

/// Below a document where the name of the row ends so.
private let below = " below a document"

private let orders: [Refused<StructuredQuery>] = [
  Refused("name and more", query.ordered(by: "__name__").ordered(by: "a"), says: afterKey),
  Refused("name twice", query.ordered(by: "__name__").ordered(by: "__name__"), says: afterKey),
  Refused(
    "field twice", query.ordered(by: "a").ordered(by: "a", descending: true),
    says: "order by clause cannot contain duplicate fields a"),
  Refused(
    "range, by name", query.filtered(by: .field("a", .greaterThan, 1)).ordered(by: "__name__"),
    says: afterKey),
  Refused(
    "exclusion, by name", query.filtered(by: .field("a", .notEqual, 42)).ordered(by: "__name__"),
    says: afterKey),
  Refused(
    "names backwards", query.ordered(by: "__name__", descending: true), "FAILED_PRECONDITION",
    says: descending),
  Refused(
    "group backwards", every(of: "c").ordered(by: "__name__", descending: true),
    "FAILED_PRECONDITION", says: descending),
  Refused(
    "named backwards", query.filtered(by: inName).ordered(by: "__name__", descending: true),
    "FAILED_PRECONDITION", says: descending),
  Refused("order by __x__", query.ordered(by: "a.__x__"), says: "Invalid reserved name"),
  Refused("order by long", query.ordered(by: long), says: "property path is longer than 1500"),
  Refused("by what is missing", query.starting(at: .document("c/a")), says: tooManyValues),
  Refused(
    "by what is implied", query.filtered(by: .field("a", .greaterThan, 1)).starting(at: 2),
    says: tooManyValues),
  Refused(
    "end, and name", query.ordered(by: "a").ending(at: 1, .document("c/a")), says: tooManyValues),
  Refused(
    "text for a name", query.ordered(by: "__name__").starting(at: "a"),
    says: "Cursor __key__ value is not a document reference."),
  Refused(
    "name elsewhere", query.ordered(by: "__name__").starting(at: elsewhere),
    says: "The cursor key is in a different database than the query"),
  Refused("from nothing", query.ordered(by: "a").starting(at: Value()), says: "with type unset"),
  Refused(
    "from a collection", query.ordered(by: "a").starting(at: .document("c")),
    says: "lacks \"/\" at index"),
  Refused("negative offset", query.skipping(-1), says: "offset is negative"),
  Refused("negative limit", query.limited(to: -1), says: "limit is negative"),
]

private let sources: [Refused<StructuredQuery>] = [
  Refused(
    "two collections", .with { $0.from = [.init(), .init()] },
    says: "cannot have more than one collection selector"),
  Refused("long id", .of(long), says: "longer than 1500 bytes"),
  Refused(
    "children by a field", .of("").filtered(by: .field("a", .equal, 1)),
    says: "kind is required for filter: a"),
  Refused(
    "everything by a field", every().ordered(by: "a"),
    says: "kind is required for all orders except __key__ ascending"),
  Refused(
    "everything backwards", every().ordered(by: "__name__", descending: true),
    says: "kind is required for all orders except __key__ ascending"),
  Refused("group by a field" + below, every(of: "c").ordered(by: "a"), says: onlyRoot),
  Refused(
    "group with a field" + below, every(of: "c").filtered(by: .field("a", .equal, 1)),
    says: onlyRoot),
]

private let filters: [Refused<Filter>] = [
  Refused("none", Filter(), says: "Unknown Filter type."),
  Refused("any of none", .composite(.or, []), says: "must have at least one sub-filter"),
  Refused(
    "no operator", .composite(.unspecified, []), says: "Unsupported CompositeFilter operator."),
  Refused("no comparison", .field("a", .unspecified, 1), says: "Unknown FieldFilter operator."),
  Refused("no unary", .unary("a", .unspecified), says: "Unknown UnaryFilter operator."),
  Refused("no value", .field("a", .equal, Value()), says: "with type unset"),
  Refused("no field", .field("", .equal, 1), says: "Invalid empty property path string."),
  Refused("__x__", .field("__x__", .equal, 1), says: "Invalid reserved name in field path __x__"),
  Refused("`__x__`", .unary("`__x__`", .isNull), says: "Invalid reserved name in field path __x__"),
  Refused("name is null", .unary("__name__", .isNull), says: "__key__ filter value must be a Key"),
  Refused("name is a text", .field("__name__", .equal, "a"), says: "must be a Key"),
  Refused(
    "name elsewhere", .field("__name__", .equal, elsewhere), says: "The request was for database"),
  Refused(
    "names elsewhere", .field("__name__", .in, .list([elsewhere])),
    says: "The request was for database 'projects/demo/databases/(default)' but was attempting to "
      + "access database 'projects/other/databases/(default)'"),
  Refused(
    "malformed", .field("a", .lessThan, reference("x")), says: "lacks \"projects\" at index 0."),
  Refused(
    "malformed, nested", .field("a", .equal, .list([reference("x")])), says: "lacks \"projects\""),
  Refused("name contains", .field("__name__", .arrayContains, .document("c/a")), says: "reserved"),
  Refused(
    "name, and a range", both(equalToName, .field("a", .greaterThan, 1)), says: keyEquality),
  Refused(
    "names, or an exclusion", either(inName, .field("a", .notEqual, 1)), says: keyEquality),
  Refused("name, and not null", both(equalToName, .unary("a", .isNotNull)), says: keyEquality),
  Refused(
    "not in, alone in OR", either(.field("a", .notIn, .list([1]))), says: "'NOT_IN' cannot be"),
  Refused(
    "not in, beside OR", both(.field("a", .notIn, .list([1])), either(.field("b", .equal, 1))),
    says: "'NOT_IN' cannot be"),
  Refused(
    "two exclusions", both(.field("a", .notEqual, 1), .unary("a", .isNotNull)),
    says: "Only a single 'NOT_EQUAL'"),
  Refused(
    "in nothing", .field("a", .in, .list([])), says: "'IN' requires an non-empty ArrayValue."),
  Refused(
    "two elements", both(.field("a", .arrayContains, 1), .field("a", .arrayContains, 2)),
    says: "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."),
  Refused(
    "an element, and any",
    both(.field("a", .arrayContains, 1), .field("a", .arrayContainsAny, .list([1]))),
    says: "A maximum of 1 'ARRAY_CONTAINS' filter"),
  Refused(
    "31 alternatives", .composite(.or, (0..<31).map { .field("a", .equal, .int($0)) }),
    says: "Too many disjunctions after normalization. Result had 31 disjunctions"),
  Refused("empty vector", .field("a", .equal, .vector([])), says: "zero length vector"),
  Refused(
    "reserved member", .field("a", .equal, .object(["__x__": 1])),
    says: "field name '__x__' is reserved."),
]

private let nearest: [Refused<StructuredQuery>] = [
  Refused("limit", query.limited(to: 1).nearest(), says: "A query limit cannot be used"),
  Refused("offset", query.skipping(1).nearest(), says: "A query offset cannot be used"),
  Refused(
    "cursor", query.ordered(by: "a").starting(at: 1).nearest(),
    says: "A cursor cannot be used with FindNearest"),
  Refused("its limit", query.nearest(limit: 0), says: "must be a positive integer of no more than"),
  Refused("result __name__", query.nearest(result: "__name__"), says: "\"__name__\" is reserved."),
  Refused("long result", query.nearest(result: long), says: "longer than 1500 bytes."),
  Refused("no measure", query.nearest(measure: .unspecified), says: "Unknown Distance Measure."),
  Refused("no vector", query.nearest(.list([.float(1)])), says: "must be of type vector."),
  Refused("integers", query.nearest(.vector([1])), says: "values of type 'double'"),
  Refused("threshold", query.nearest(threshold: .nan), says: "must be a finite number."),
]

private func count(upTo limit: Int64? = nil, as alias: String = "") -> Aggregation {
  .with {
    $0.alias = alias
    $0.count = .init()
    if let limit { $0.count.upTo = .with { $0.value = limit } }
  }
}

private func sum(_ field: String) -> Aggregation { .with { $0.sum.field.fieldPath = field } }

private typealias Aggregated = (query: StructuredQuery, aggregations: [Aggregation])

private let aggregations: [Refused<Aggregated>] = [
  Refused("none", (query, []), says: "Aggregations can not be empty."),
  Refused(
    "six", (query, (0..<6).map { count(as: "a\($0)") }), says: "maximum number of aggregations"),
  Refused("nothing", (query, [Aggregation()]), says: "Operator field in Aggregation is not set."),
  Refused("up to -1", (query, [count(upTo: -1)]), says: "greater than or equal to zero."),
  Refused(
    "sum of names", (query, [sum("__name__")]), says: "not supported for the property: __key__"),
  Refused("sum of __x__", (query, [sum("__x__")]), says: "Invalid reserved name"),
  Refused("alias", (query, [count(as: "__x__")]), says: "The property.name \"__x__\" is reserved."),
  Refused("long alias", (query, [count(as: long)]), says: "longer than 1500 bytes."),
  Refused(
    "one alias", (query, [count(as: "x"), count(as: "x")]),
    says: "Aggregation aliases contain duplicate alias: x."),
  Refused("not shown", (query.showing("b"), [sum("a")]), says: "base query's property mask."),
  Refused("names shown", (query.showing("__name__"), [sum("a")]), says: "only returns keys."),
  Refused("shown", (query.showing("a"), [sum("a")]), says: "Cannot apply property masks"),
  Refused(
    "by name", (query.ordered(by: "__name__"), [sum("a")]),
    says: "This query requires an index that has fields [a] after __name__"),
  Refused(
    "of a name", (query.filtered(by: equalToName), [sum("n"), sum("a"), sum("n"), count()]),
    says: "This query requires an index that has fields [a, n] after __name__"),
  Refused(
    "of a name, by one", (query.filtered(by: inName).ordered(by: "n"), [sum("n"), sum("a")]),
    says: "This query requires an index that has fields [a] after __name__"),
  Refused(
    "one alias, and no order",
    (query.ordered(by: "__name__").ordered(by: "a"), [count(as: "x"), count(as: "x")]),
    says: "Aggregation aliases contain duplicate alias: x."),
  Refused(
    "an alias that is implied", (query, [count(as: "field_1"), count()]),
    says: "Aggregation aliases contain duplicate alias: field_1."),
  Refused(
    "names backwards", (query.ordered(by: "__name__", descending: true), [count()]),
    "FAILED_PRECONDITION", says: descending),
]

/// What production and the official emulator do not answer.
@Suite struct `A query is refused` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  private func expect(
    _ status: String, _ message: String, _ run: () async throws -> Void
  ) async {
    let error = await #expect(throws: APIError.self) { try await run() }
    #expect(error?.code.row.status == status)
    #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "")")
  }

  @Test(arguments: orders + sources + nearest)
  private func `for its order, its place or its vector`(
    _ row: Refused<StructuredQuery>
  ) async throws {
    let parent = row.what.hasSuffix(below) ? name("c/a") : Rig.database.documents
    await expect(row.status, row.message) { _ = try await rig.run(row.request, parent: parent) }
  }

  @Test(arguments: filters) private func `for its filter`(_ row: Refused<Filter>) async throws {
    await expect(row.status, row.message) {
      _ = try await rig.run(query.filtered(by: row.request))
    }
  }

  /// Listeners are told so too.
  @Test(arguments: orders.prefix(6)) private func `for its aggregations, or with some`(
    _ row: Refused<StructuredQuery>
  ) async throws {
    await expect(row.status, row.message) {
      _ = try await rig.aggregate(row.request, [count()])
    }
  }

  @Test(arguments: aggregations) private func `for what it aggregates`(
    _ row: Refused<Aggregated>
  ) async throws {
    await expect(row.status, row.message) {
      _ = try await rig.aggregate(row.request.query, row.request.aggregations)
    }
  }
}

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
    (.of("").filtered(by: .field("__name__", .greaterThan, .document("c/a"))), ["c/b", "d/a"]),
    (every(), ["c/a", "c/a/sub/x", "c/a/sub/x/sub/y", "c/b", "d/a"]),
    (query.filtered(by: .composite(.and, [])), ["c/a", "c/b"]),
    (
      query.filtered(by: .field("a", .equal, 1)).ordered(by: "__name__", descending: true),
      ["c/a"]
    ),
    (query.filtered(by: both(equalToName, .field("a", .equal, 1))), ["c/a"]),
    (
      query.filtered(
        by: both(equalToName, .field("__name__", .lessThan, .document("c/b")))), ["c/a"]
    ),
    (
      query.filtered(by: .composite(.or, Array(repeating: .field("a", .equal, 1), count: 31))),
      ["c/a"]
    ),
    (
      query.filtered(
        by: both(.field("t", .arrayContains, 1), .field("t", .arrayContains, 1))), ["c/a"]
    ),
    (query.filtered(by: .field("a", .notEqual, elsewhere)), ["c/a", "c/b"]),
    (query.ordered(by: "____"), []),
    (query.starting(), []), (query.ordered(by: "a").ending(before: true), []),
    (query.starting(before: true).ending(), ["c/a", "c/b"]),
    (query.filtered(by: either(never, .field("a", .equal, 1))), ["c/a"]),
    (query.filtered(by: never).ordered(by: "__name__", descending: true), []),
    (query.filtered(by: both(never, equalToName)), []),
    (query.filtered(by: .field("b", .notEqual, .nothing)).ordered(by: "__name__"), []),
    (query.filtered(by: .field("b", .notIn, .list([.nothing]))).ordered(by: "__name__"), []),
  ]

  @Test(arguments: anywhere)
  func `from anywhere`(query: StructuredQuery, wanted: [String]) async throws {
    #expect(try await rig.run(query).map(\.name) == wanted.map(name))
  }

  private static let inDocument: [(StructuredQuery, [String])] = [
    (every(of: "sub"), ["c/a/sub/x", "c/a/sub/x/sub/y"]), (.of(""), ["c/a/sub/x"]),
    (
      every(of: "sub").filtered(by: .field("__name__", .equal, .document("c/a/sub/x"))),
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
    #expect(try await rig.aggregate(query, [count(upTo: 0)])["field_1"] == 0)
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
      (.field("x", .lessThan, 1), ["zero"]), (.field("x", .lessThanOrEqual, 1), ["zero"]),
      (.field("x", .greaterThan, -1), ["zero"]), (.field("x", .lessThan, .float(.nan)), []),
      (.field("x", .lessThanOrEqual, .float(.nan)), []),
      (.field("x", .greaterThan, .float(.nan)), []),
      (.field("x", .greaterThanOrEqual, .float(.nan)), []), (.field("x", .equal, .float(.nan)), []),
      (.field("x", .notEqual, .float(.nan)), allButNull),
      (.field("x", .lessThanOrEqual, .nothing), []),
      (.field("x", .greaterThanOrEqual, .nothing), []),
      (.field("x", .equal, .nothing), []), (.field("x", .notEqual, .nothing), []),
      (.field("x", .in, .list([.float(.nan), .nothing, 0])), ["zero"]),
      (.field("x", .notIn, .list([.float(.nan)])), allButNull),
      (.field("x", .notIn, .list([.nothing])), []),
      (.field("x", .arrayContains, .nothing), []), (.field("x", .arrayContains, .float(.nan)), []),
      (.unary("x", .isNan), ["nan"]), (.unary("x", .isNull), ["null"]),
      (.unary("x", .isNotNan), ["zero", "text", "list"]), (.unary("x", .isNotNull), allButNull),
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
        "t": .time(1, 1700), "l": .list([.time(1, 1700)]), "m": .object(["t": .time(1, 1700)]),
      ]
    ])
  }

  private static let time = Value.time(1, 1700)
  private static let map = Value.object(["t": time])

  /// Observed: within arrays and maps they are compared as they are stored.
  @Test(
    arguments: [
      (.field("t", .equal, time), false), (.field("t", .lessThan, time), true),
      (.field("t", .in, .list([time])), true), (.field("t", .notIn, .list([time])), false),
      (.field("m", .equal, map), true), (.field("m", .notEqual, map), false),
      (.field("m", .lessThanOrEqual, map), true), (.field("m", .in, .list([map])), true),
      (.field("l", .equal, .list([time])), true), (.field("l", .arrayContains, time), false),
      (.field("l", .arrayContainsAny, .list([time])), true),
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

  private func found(_ query: StructuredQuery, _ field: String) async throws -> [String] {
    try await rig.run(query).map { document in
      let id = document.name.split(separator: "/").last ?? ""
      return "\(id) \(document.fields[field]?.doubleValue ?? -1)"
    }
  }

  @Test func `is at no distance from its equal`() async throws {
    let vector = Value.vector([.float(0.3), .float(0.4)])
    #expect(try await found(query.nearest(vector, threshold: 0), "d") == ["b 0.0"])
  }

  @Test func `has no direction where it is zero`() async throws {
    #expect(try await found(query.nearest(), "d") == ["a 0.0", "b 0.4", "zero nan"])
    #expect(try await found(query.nearest(threshold: 2), "d") == ["a 0.0", "b 0.4"])
  }

  @Test func `has its distance in one field, also where the name has a dot`() async throws {
    #expect(try await found(query.nearest(limit: 1, result: "m.d"), "m.d") == ["a 0.0"])
  }
}
