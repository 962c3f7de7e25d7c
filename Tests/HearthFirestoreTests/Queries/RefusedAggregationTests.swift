import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import SwiftProtobuf
import Testing

private let query = StructuredQuery.of("c")
private let equalToName = StructuredQuery.Filter.field(
  "__name__", op: .equal, value: .document("c/a"))
private let inName = StructuredQuery.Filter.field(
  "__name__", op: .in, value: .list([.document("c/a")]))
private let long = String(repeating: "x", count: 1501)

private typealias Aggregated = (query: StructuredQuery, aggregations: [Aggregation])

private let aggregations: [Refused<Aggregated>] = [
  Refused("none", request: (query, []), says: "Aggregations can not be empty."),
  Refused(
    "six", request: (query, (0..<6).map { .counting(as: "a\($0)") }),
    says: "maximum number of aggregations"),
  Refused(
    "nothing", request: (query, [Aggregation()]), says: "Operator field in Aggregation is not set."),
  Refused(
    "up to -1", request: (query, [.counting(upTo: -1)]), says: "greater than or equal to zero."),
  Refused(
    "sum of names", request: (query, [.summing("__name__")]),
    says: "not supported for the property: __key__"
  ),
  Refused("sum of __x__", request: (query, [.summing("__x__")]), says: "Invalid reserved name"),
  Refused(
    "alias", request: (query, [.counting(as: "__x__")]),
    says: "The property.name \"__x__\" is reserved."),
  Refused("long alias", request: (query, [.counting(as: long)]), says: "longer than 1500 bytes."),
  Refused(
    "one alias", request: (query, [.counting(as: "x"), .counting(as: "x")]),
    says: "Aggregation aliases contain duplicate alias: x."),
  Refused(
    "not shown", request: (query.showing("b"), [.summing("a")]), says: "base query's property mask."
  ),
  Refused(
    "names shown", request: (query.showing("__name__"), [.summing("a")]), says: "only returns keys."
  ),
  Refused(
    "shown", request: (query.showing("a"), [.summing("a")]), says: "Cannot apply property masks"),
  Refused(
    "by name", request: (query.ordered(by: "__name__"), [.summing("a")]),
    says: "This query requires an index that has fields [a] after __name__"),
  Refused(
    "of a name",
    request: (
      query.filtered(by: equalToName), [.summing("n"), .summing("a"), .summing("n"), .counting()]
    ),
    says: "This query requires an index that has fields [a, n] after __name__"),
  Refused(
    "of a name, by one",
    request: (query.filtered(by: inName).ordered(by: "n"), [.summing("n"), .summing("a")]),
    says: "This query requires an index that has fields [a] after __name__"),
  Refused(
    "one alias, and no order",
    request: (
      query.ordered(by: "__name__").ordered(by: "a"), [.counting(as: "x"), .counting(as: "x")]
    ),
    says: "Aggregation aliases contain duplicate alias: x."),
  Refused(
    "an alias that is implied", request: (query, [.counting(as: "field_1"), .counting()]),
    says: "Aggregation aliases contain duplicate alias: field_1."),
  Refused(
    "names backwards", request: (query.ordered(by: "__name__", descending: true), [.counting()]),
    status: "FAILED_PRECONDITION", says: "Firestore does not support descending key scans"),
  Refused(
    "names backwards, and a sum",
    request: (query.ordered(by: "__name__", descending: true), [.summing("a")]),
    status: "FAILED_PRECONDITION", says: "Firestore does not support descending key scans"),
  Refused(
    "names backwards, and not shown",
    request: (query.ordered(by: "__name__", descending: true).showing("b"), [.summing("a")]),
    says: "base query's property mask."),
  Refused(
    "names backwards, and nothing", request: (query.ordered(by: "__name__", descending: true), []),
    says: "Aggregations can not be empty."),
]

/// What production and the official emulator do not answer.
@Suite struct `An aggregation is refused` {
  private let rig: Rig

  init() throws { rig = try Rig() }

  @Test(arguments: ["", "c"]) func `of fields of many collections below a document`(
    collection: String
  ) async throws {
    let error = await #expect(throws: APIError.self) {
      try await rig.aggregate(
        .of(collection, everywhere: true), parent: name("c/a"),
        aggregations: [.summing("n"), .summing("a")])
    }
    #expect(error?.message.contains("index that has fields [a, n] after __name__") == true)
  }

  @Test(arguments: aggregations) private func `for what it aggregates`(
    _ row: Refused<Aggregated>
  ) async throws {
    await row.expect {
      _ = try await rig.aggregate(row.request.query, aggregations: row.request.aggregations)
    }
  }
}
