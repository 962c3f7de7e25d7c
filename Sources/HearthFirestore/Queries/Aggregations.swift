import HearthErrors
import HearthFirestoreProtos
import HearthLimits
import HearthOperations
import HearthWire
import SwiftProtobuf

/// Counts, sums and averages over the result of a query.
struct Aggregations {
  private enum Operation {
    case count(upTo: Int?)
    case sum(FieldPath)
    case average(FieldPath)

    init(_ message: StructuredAggregationQuery.Aggregation) throws(APIError) {
      switch message.operator {
      case .count(let count)? where count.hasUpTo:
        guard count.upTo.value >= 0 else {
          throw .invalid(
            "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.")
        }
        self = .count(upTo: Int(clamping: count.upTo.value))
      case .count?: self = .count(upTo: nil)
      case .sum(let sum)?: self = .sum(try Self.field(sum.field))
      case .avg(let average)?: self = .average(try Self.field(average.field))
      case nil: throw .invalid("Operator field in Aggregation is not set.")
      }
    }

    private static func field(
      _ reference: StructuredQuery.FieldReference
    ) throws(APIError) -> FieldPath {
      let field = try FieldPath(reference.fieldPath)
      guard !field.isDocumentName else {
        throw .invalid("Aggregations are not supported for the property: __key__")
      }
      return field
    }

    var field: FieldPath? {
      switch self {
      case .count: nil
      case .sum(let field), .average(let field): field
      }
    }
  }

  let query: Query
  /// The fields of sums and averages.
  let fields: [FieldPath]
  private let operations: [(alias: String, operation: Operation)]

  init(
    parent: ResourcePath, _ message: StructuredAggregationQuery, within bounds: Query.Bounds,
    readsNamesBackwards: Bool = false
  ) throws(APIError) {
    let aliases = Self.aliases(message.aggregations)
    try Self.check(aliases)
    var query = try Query(
      parent: parent, message.structuredQuery, within: bounds, readsNamesBackwards: true)
    guard !message.aggregations.isEmpty else { throw .invalid("Aggregations can not be empty.") }
    let count = message.aggregations.count
    guard count <= Limit.aggregations.value else {
      throw APIError.invalid(Limit.aggregations.refusal(String(count)))
        .with(details: Self.tooMany(count))
    }
    var operations: [(alias: String, operation: Operation)] = []
    for (alias, aggregation) in zip(aliases, message.aggregations) {
      try FieldPath.checkName(alias, of: "property")
      operations.append((alias, try Operation(aggregation)))
    }
    self.operations = operations
    fields = operations.compactMap(\.operation.field)
    try Self.check(fields, shown: query.projection)
    // Mistakes in the aggregations come first.
    if !readsNamesBackwards { try query.checkScan() }
    try query.checkAggregation(of: fields, orderedBy: message.structuredQuery.orderBy)
    // As an index over them gives it.
    query.order(alsoBy: Set(fields).sorted())
    self.query = query
  }

  private static func tooMany(_ count: Int) -> JSON {
    [
      "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TOO_MANY_AGGREGATIONS",
      "domain": "firestore.googleapis.com",
      "metadata": [
        "actual_aggregations": .string("\(count)"),
        "max_aggregations": .string(String(Limit.aggregations.value)),
      ],
    ]
  }

  /// How far a count goes that stands alone.
  var countLimit: Int? {
    guard operations.count == 1, case .count(let limit) = operations[0].operation else {
      return nil
    }
    return limit
  }

  /// Whether nothing is counted, and so nothing looked at.
  var countsNothing: Bool {
    operations.allSatisfy { if case .count(0?) = $0.operation { true } else { false } }
  }

  private static func aliases(
    _ aggregations: [StructuredAggregationQuery.Aggregation]
  ) -> [String] {
    var unnamed = 0
    return aggregations.map { aggregation in
      guard aggregation.alias.isEmpty else { return aggregation.alias }
      unnamed += 1
      return "field_\(unnamed)"
    }
  }

  /// Aliases are compared before the query is looked at.
  private static func check(_ aliases: [String]) throws(APIError) {
    var seen: Set<String> = []
    for alias in aliases where !seen.insert(alias).inserted {
      throw .invalid("Aggregation aliases contain duplicate alias: \(alias).")
    }
  }

  private static func check(
    _ fields: [FieldPath], shown projection: [FieldPath]?
  ) throws(APIError) {
    guard let projection, !fields.isEmpty else { return }
    guard projection != [.documentName] else {
      throw .invalid(
        "Aggregation over non-key properties is not supported for base query that only returns "
          + "keys.")
    }
    for field in fields where !projection.contains(where: { $0.contains(field) }) {
      throw .invalid(
        "The aggregation property \(field) is not present in the base query's property mask.")
    }
    throw .invalid("Cannot apply property masks when aggregation fields are present.")
  }

  /// Whether it is one count, and nothing has to be read for it.
  var isPlainCount: Bool {
    guard operations.count == 1, case .count = operations[0].operation else { return false }
    return query.isOfWholeCollections
  }

  func count(in snapshot: Snapshot) throws(APIError) -> Fields {
    [operations[0].alias: .integer(Int64(try snapshot.count(query, upTo: countLimit)))]
  }

  /// Several aggregations are of the same documents: those that have all of their fields.
  func values(of documents: [EncodedDocument]) -> Fields {
    let found = documents.filter { document in
      fields.allSatisfy { document.value(at: $0) != nil }
    }
    var result = Fields()
    for (alias, operation) in operations {
      switch operation {
      case .count(let limit): result[alias] = .integer(Int64(min(found.count, limit ?? .max)))
      case .sum(let field):
        let sum = Self.sum(of: field, in: found)
        result[alias] = sum.integer.map { .integer($0) } ?? .double(sum.double)
      case .average(let field):
        let sum = Self.sum(of: field, in: found)
        result[alias] = sum.count == 0 ? .null : .double(sum.double / Double(sum.count))
      }
    }
    return result
  }

  private static func sum(of field: FieldPath, in documents: [EncodedDocument]) -> ExactSum {
    var sum = ExactSum()
    for document in documents {
      switch document.value(at: field)?.valueType {
      case .integerValue(let value)?: sum.add(value)
      case .doubleValue(let value)?: sum.add(value)
      default: break
      }
    }
    return sum
  }
}
