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

private func both(_ filters: Filter...) -> Filter { .composite(.and, filters: filters) }
private func either(_ filters: Filter...) -> Filter { .composite(.or, filters: filters) }

private func reference(_ name: String) -> Value { .with { $0.referenceValue = name } }
private let elsewhere = reference("projects/other/databases/(default)/documents/c/a")

private let equalToName = Filter.field("__name__", op: .equal, value: .document("c/a"))
private let inName = Filter.field("__name__", op: .in, value: .list([.document("c/a")]))
private let afterKey = "order by clause cannot contain more fields after the key"
private let keyEquality = "Equality on key is not allowed if there are other inequality fields"
private let descending = "Firestore does not support descending key scans"
private let onlyRoot = "collection group queries are only allowed at the root parent"
private let tooManyValues = "Cursor has too many values."
private let long = String(repeating: "x", count: 1501)

/// Below a document where the name of the row ends so.
private let below = " below a document"

private let orders: [Refused<StructuredQuery>] = [
  Refused("name and more", request: query.ordered(by: "__name__").ordered(by: "a"), says: afterKey),
  Refused(
    "name twice", request: query.ordered(by: "__name__").ordered(by: "__name__"), says: afterKey),
  Refused(
    "field twice", request: query.ordered(by: "a").ordered(by: "a", descending: true),
    says: "order by clause cannot contain duplicate fields a"),
  Refused(
    "range, by name",
    request: query.filtered(by: .field("a", op: .greaterThan, value: 1)).ordered(by: "__name__"),
    says: afterKey),
  Refused(
    "exclusion, by name",
    request: query.filtered(by: .field("a", op: .notEqual, value: 42)).ordered(by: "__name__"),
    says: afterKey),
  Refused(
    "names backwards", request: query.ordered(by: "__name__", descending: true),
    status: "FAILED_PRECONDITION",
    says: descending),
  Refused(
    "group backwards", request: every(of: "c").ordered(by: "__name__", descending: true),
    status: "FAILED_PRECONDITION", says: descending),
  Refused(
    "named backwards",
    request: query.filtered(by: inName).ordered(by: "__name__", descending: true),
    status: "FAILED_PRECONDITION", says: descending),
  Refused("order by __x__", request: query.ordered(by: "a.__x__"), says: "Invalid reserved name"),
  Refused(
    "order by long", request: query.ordered(by: long), says: "property path is longer than 1500"),
  Refused("by what is missing", request: query.starting(at: .document("c/a")), says: tooManyValues),
  Refused(
    "by what is implied",
    request: query.filtered(by: .field("a", op: .greaterThan, value: 1)).starting(at: 2),
    says: tooManyValues),
  Refused(
    "end, and name", request: query.ordered(by: "a").ending(at: 1, .document("c/a")),
    says: tooManyValues),
  Refused(
    "text for a name", request: query.ordered(by: "__name__").starting(at: "a"),
    says: "Cursor __key__ value is not a document reference."),
  Refused(
    "name elsewhere", request: query.ordered(by: "__name__").starting(at: elsewhere),
    says: "The cursor key is in a different database than the query"),
  Refused(
    "from nothing", request: query.ordered(by: "a").starting(at: Value()), says: "with type unset"),
  Refused(
    "from a collection", request: query.ordered(by: "a").starting(at: .document("c")),
    says: "lacks \"/\" at index"),
  Refused("negative offset", request: query.skipping(-1), says: "offset is negative"),
  Refused("negative limit", request: query.limited(to: -1), says: "limit is negative"),
]

private let sources: [Refused<StructuredQuery>] = [
  Refused(
    "two collections", request: .with { $0.from = [.init(), .init()] },
    says: "cannot have more than one collection selector"),
  Refused("long id", request: .of(long), says: "longer than 1500 bytes"),
  Refused(
    "children by a field", request: .of("").filtered(by: .field("a", op: .equal, value: 1)),
    says: "kind is required for filter: a"),
  Refused(
    "everything by a field", request: every().ordered(by: "a"),
    says: "kind is required for all orders except __key__ ascending"),
  Refused(
    "everything backwards", request: every().ordered(by: "__name__", descending: true),
    says: "kind is required for all orders except __key__ ascending"),
  Refused("group by a field" + below, request: every(of: "c").ordered(by: "a"), says: onlyRoot),
  Refused(
    "group with a field" + below,
    request: every(of: "c").filtered(by: .field("a", op: .equal, value: 1)),
    says: onlyRoot),
]

private let filters: [Refused<Filter>] = [
  Refused("none", request: Filter(), says: "Unknown Filter type."),
  Refused(
    "any of none", request: .composite(.or, filters: []), says: "must have at least one sub-filter"),
  Refused(
    "no operator", request: .composite(.unspecified, filters: []),
    says: "Unsupported CompositeFilter operator."),
  Refused(
    "no comparison", request: .field("a", op: .unspecified, value: 1),
    says: "Unknown FieldFilter operator."),
  Refused(
    "no unary", request: .unary("a", op: .unspecified), says: "Unknown UnaryFilter operator."),
  Refused("no value", request: .field("a", op: .equal, value: Value()), says: "with type unset"),
  Refused(
    "no field", request: .field("", op: .equal, value: 1),
    says: "Invalid empty property path string."),
  Refused(
    "__x__", request: .field("__x__", op: .equal, value: 1),
    says: "Invalid reserved name in field path __x__"),
  Refused(
    "`__x__`", request: .unary("`__x__`", op: .isNull),
    says: "Invalid reserved name in field path __x__"),
  Refused(
    "name is null", request: .unary("__name__", op: .isNull),
    says: "__key__ filter value must be a Key"),
  Refused(
    "name is a text", request: .field("__name__", op: .equal, value: "a"), says: "must be a Key"),
  Refused(
    "name elsewhere", request: .field("__name__", op: .equal, value: elsewhere),
    says: "The request was for database"),
  Refused(
    "names elsewhere", request: .field("__name__", op: .in, value: .list([elsewhere])),
    says: "The request was for database 'projects/demo/databases/(default)' but was attempting to "
      + "access database 'projects/other/databases/(default)'"),
  Refused(
    "malformed", request: .field("a", op: .lessThan, value: reference("x")),
    says: "lacks \"projects\" at index 0."),
  Refused(
    "malformed, nested", request: .field("a", op: .equal, value: .list([reference("x")])),
    says: "lacks \"projects\""),
  Refused(
    "name contains", request: .field("__name__", op: .arrayContains, value: .document("c/a")),
    says: "reserved"),
  Refused(
    "name, and a range", request: both(equalToName, .field("a", op: .greaterThan, value: 1)),
    says: keyEquality),
  Refused(
    "names, or an exclusion", request: either(inName, .field("a", op: .notEqual, value: 1)),
    says: keyEquality),
  Refused(
    "name, and not null", request: both(equalToName, .unary("a", op: .isNotNull)), says: keyEquality
  ),
  Refused(
    "not in, alone in OR", request: either(.field("a", op: .notIn, value: .list([1]))),
    says: "'NOT_IN' cannot be"),
  Refused(
    "not in, beside OR",
    request: both(
      .field("a", op: .notIn, value: .list([1])), either(.field("b", op: .equal, value: 1))),
    says: "'NOT_IN' cannot be"),
  Refused(
    "two exclusions",
    request: both(.field("a", op: .notEqual, value: 1), .unary("a", op: .isNotNull)),
    says: "Only a single 'NOT_EQUAL'"),
  Refused(
    "in nothing", request: .field("a", op: .in, value: .list([])),
    says: "'IN' requires an non-empty ArrayValue."),
  Refused(
    "two elements",
    request: both(
      .field("a", op: .arrayContains, value: 1), .field("a", op: .arrayContains, value: 2)),
    says: "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."),
  Refused(
    "an element, and any",
    request: both(
      .field("a", op: .arrayContains, value: 1),
      .field("a", op: .arrayContainsAny, value: .list([1]))),
    says: "A maximum of 1 'ARRAY_CONTAINS' filter"),
  Refused(
    "31 alternatives",
    request: .composite(.or, filters: (0..<31).map { .field("a", op: .equal, value: .int($0)) }),
    says: "Too many disjunctions after normalization. Result had 31 disjunctions"),
  Refused(
    "empty vector", request: .field("a", op: .equal, value: .vector([])), says: "zero length vector"
  ),
  Refused(
    "reserved member", request: .field("a", op: .equal, value: .object(["__x__": 1])),
    says: "field name '__x__' is reserved."),
]

private func text(_ count: Int) -> Value { .text(String(repeating: "x", count: count)) }

private func equalities(_ count: Int64) -> Filter {
  .composite(.and, filters: (0..<count).map { .field("f\($0)", op: .equal, value: .int($0)) })
}

private func ordered(_ count: Int) -> StructuredQuery {
  (0..<count).reduce(query) { $0.ordered(by: "o\($1)") }
}

/// The first that is too large of each kind, as the official emulator has it.
private let operands: [(String, Filter)] = [
  ("a text", .field("a", op: .equal, value: text(1500))),
  ("a text in a list", .field("a", op: .in, value: .list([1, text(1500)]))),
  ("a text in a list of exclusions", .field("a", op: .notIn, value: .list([text(1500)]))),
  ("an array", .field("a", op: .equal, value: .list([text(749), text(750)]))),
  ("a map", .field("a", op: .lessThan, value: .object(["k": text(1498)]))),
  (
    "a name in a map",
    .field("a", op: .equal, value: .object([String(repeating: "x", count: 1492): 1]))
  ),
  (
    "an empty map in a map",
    .field("a", op: .equal, value: .object([text(1499).stringValue: .object([:])]))
  ),
  ("a vector", .field("a", op: .equal, value: .vector(Array(repeating: .float(1), count: 188)))),
  ("a reference", .field("a", op: .equal, value: .document("c/" + text(1482).stringValue))),
]

private let bounds: [Refused<StructuredQuery>] =
  operands.map {
    Refused(
      $0, request: query.filtered(by: $1), says: "value for a is too large to be used in a query")
  } + [
    Refused(
      "an element",
      request: query.filtered(by: .field("a.b", op: .arrayContains, value: text(1500))),
      says: "value for a.b[*] is too large"),
    Refused(
      "a long name",
      request: query.filtered(by: .field("__name__", op: .equal, value: .document("c/" + long))),
      says: "The key path element name is longer than 1500 bytes."),
    Refused(
      "101 filters", request: query.filtered(by: equalities(101)),
      says: "Currently there are 101 filters, 0 sort orders, and no ancestor filter."),
    Refused(
      "many values, and filters",
      request: query.filtered(
        by: both(equalities(98), .field("z", op: .in, value: .list([1, 2, 3])))),
      says: "there are 101 filters"),
    Refused(
      "null counts twice",
      request: query.filtered(
        by: both(
          equalities(99), .field("z", op: .equal, value: .with { $0.nullValue = .nullValue }))),
      says: "there are 101 filters"),
    Refused("101 orders", request: ordered(101), says: "there are 0 filters, 101 sort orders"),
    Refused(
      "filters and orders", request: ordered(51).filtered(by: equalities(50)),
      says: "there are 50 filters, 51 sort orders"),
    Refused("100 orders" + below, request: ordered(100), says: "and one ancestor filter."),
  ]

private let nearest: [Refused<StructuredQuery>] = [
  Refused("limit", request: query.limited(to: 1).nearest(), says: "A query limit cannot be used"),
  Refused("offset", request: query.skipping(1).nearest(), says: "A query offset cannot be used"),
  Refused(
    "cursor", request: query.ordered(by: "a").starting(at: 1).nearest(),
    says: "A cursor cannot be used with FindNearest"),
  Refused(
    "its limit", request: query.nearest(limit: 0),
    says: "must be a positive integer of no more than"),
  Refused(
    "result __name__", request: query.nearest(result: "__name__"), says: "\"__name__\" is reserved."
  ),
  Refused("long result", request: query.nearest(result: long), says: "longer than 1500 bytes."),
  Refused(
    "no measure", request: query.nearest(measure: .unspecified), says: "Unknown Distance Measure."),
  Refused("no vector", request: query.nearest(.list([.float(1)])), says: "must be of type vector."),
  Refused("integers", request: query.nearest(.vector([1])), says: "values of type 'double'"),
  Refused("threshold", request: query.nearest(threshold: .nan), says: "must be a finite number."),
]

/// What production and the official emulator do not answer.
@Suite struct `A query is refused` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  @Test(arguments: orders + sources + nearest)
  private func `for its order, its place or its vector`(
    _ row: Refused<StructuredQuery>
  ) async throws {
    let parent = row.what.hasSuffix(below) ? name("c/a") : Rig.database.documents
    await row.expect { _ = try await rig.run(row.request, parent: parent) }
  }

  @Test(arguments: bounds) private func `for its size`(
    _ row: Refused<StructuredQuery>
  ) async throws {
    let parent = row.what.hasSuffix(below) ? name("c/a") : Rig.database.documents
    await row.expect { _ = try await rig.run(row.request, parent: parent) }
  }

  @Test(arguments: [
    query.filtered(by: .field("a", op: .equal, value: text(1499))),
    query.filtered(by: .field("a", op: .equal, value: .list([text(749), text(749)]))),
    query.filtered(by: .field("a", op: .equal, value: .document("c/" + text(1481).stringValue))),
    query.filtered(by: equalities(100)), ordered(100),
    // Equal filters count once.
    query.filtered(
      by: .composite(.and, filters: equalities(100).compositeFilter.filters.flatMap { [$0, $0] })),
    query.ordered(by: "a").starting(at: text(2000)),
  ]) private func `but not for what is just small enough`(_ query: StructuredQuery) async throws {
    _ = try await rig.run(query)
  }

  @Test(arguments: filters) private func `for its filter`(_ row: Refused<Filter>) async throws {
    await row.expect {
      _ = try await rig.run(query.filtered(by: row.request))
    }
  }

  /// Listeners are refused too.
  @Test(arguments: orders.prefix(6)) private func `for its aggregations, or with some`(
    _ row: Refused<StructuredQuery>
  ) async throws {
    await row.expect {
      _ = try await rig.aggregate(row.request, aggregations: [.counting()])
    }
  }
}
