import FirestoreProtos
import HearthCore
import SwiftProtobuf

/// Counts, sums and averages over the result of a query.
struct Aggregations {
  private enum Operation {
    case count(upTo: Int?)
    case sum(FieldPath)
    case average(FieldPath)

    var field: FieldPath? {
      switch self {
      case .count: nil
      case .sum(let field), .average(let field): field
      }
    }
  }

  let query: Query
  private let operations: [(alias: String, operation: Operation)]

  init(
    parent: ResourcePath, _ message: Google_Firestore_V1_StructuredAggregationQuery
  ) throws(APIError) {
    var query = try Query(parent: parent, message.structuredQuery)
    guard !message.aggregations.isEmpty else { throw .invalid("Aggregations can not be empty.") }
    guard message.aggregations.count <= 5 else {
      throw .invalid("An aggregation query must have 1 to 5 aggregations.")
    }
    var operations: [(alias: String, operation: Operation)] = []
    var unnamed = 0
    for aggregation in message.aggregations {
      if aggregation.alias.isEmpty { unnamed += 1 }
      let alias = aggregation.alias.isEmpty ? "field_\(unnamed)" : aggregation.alias
      guard !operations.contains(where: { $0.alias == alias }) else {
        throw .invalid("Aggregation aliases contain duplicate alias \"\(alias)\".")
      }
      let operation: Operation
      switch aggregation.operator {
      case .count(let count)?:
        if count.hasUpTo {
          guard count.upTo.value > 0 else { throw .invalid("up_to must be greater than zero.") }
          operation = .count(upTo: Int(clamping: count.upTo.value))
        } else {
          operation = .count(upTo: nil)
        }
      case .sum(let sum)?: operation = .sum(try FieldPath(sum.field.fieldPath))
      case .avg(let average)?: operation = .average(try FieldPath(average.field.fieldPath))
      case nil: throw .invalid("An aggregation must have an operator.")
      }
      operations.append((alias, operation))
    }
    self.operations = operations
    // As an index over them gives it; who asks for an order by name has it.
    let names = message.structuredQuery.orderBy.map(\.field.fieldPath)
    if !names.contains("__name__") {
      query.order(alsoBy: Set(operations.compactMap(\.operation.field)).sorted())
    }
    self.query = query
  }

  /// Several aggregations are of the same documents: those that have all of their fields.
  func run(in snapshot: Snapshot) throws(APIError) -> Fields {
    let fields = operations.compactMap(\.operation.field)
    var result = Fields()
    var rows: [StoredDocument]?
    for (alias, operation) in operations {
      if case .count(let limit) = operation, operations.count == 1 {
        result[alias] = .integer(Int64(try snapshot.count(query, upTo: limit)))
        continue
      }
      if rows == nil {
        rows = try snapshot.run(query).documents.filter { document in
          fields.allSatisfy { document.value(at: $0) != nil }
        }
      }
      let found = rows ?? []
      switch operation {
      case .count(let limit): result[alias] = .integer(Int64(min(found.count, limit ?? .max)))
      case .sum(let field): result[alias] = Self.sum(found.compactMap { $0.value(at: field) })
      case .average(let field):
        result[alias] = Self.average(found.compactMap { $0.value(at: field)?.number })
      }
    }
    return result
  }

  /// An integer as long as all numbers are, and the sum fits.
  private static func sum(_ values: [Value]) -> Value {
    var integers: Int64 = 0
    var isInteger = true
    var total = 0.0
    for value in values {
      guard let number = value.number else { continue }
      total += number
      if case .integerValue(let integer)? = value.valueType, isInteger {
        let (sum, overflow) = integers.addingReportingOverflow(integer)
        integers = sum
        if overflow { isInteger = false }
      } else {
        isInteger = false
      }
    }
    return isInteger ? .integer(integers) : .double(total)
  }

  private static func average(_ numbers: [Double]) -> Value {
    numbers.isEmpty ? .null : .double(numbers.reduce(0, +) / Double(numbers.count))
  }
}
