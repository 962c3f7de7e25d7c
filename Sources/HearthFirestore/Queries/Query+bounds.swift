import HearthErrors
import HearthFirestoreProtos
import HearthLimits

extension Query {
  /// Bounds of queries that are run once; listeners have none. Production was recorded to compare
  /// with larger values than the official emulator does.
  enum Bounds {
    case emulator, production

    init(asProduction: Bool) { self = asProduction ? .production : .emulator }

    func check(_ query: Query, filter: StructuredQuery.Filter?) throws(APIError) {
      try query.parent.checkSegments()
      try Self.checkParts(of: query, filter)
      for test in query.filter?.tests ?? [] {
        if test.field.isDocumentName {
          for operand in test.operands {
            try ResourcePath.reference(operand.referenceValue).checkSegments()
          }
        } else if test.operands.contains(where: isTooLarge) {
          let name = test.field.segments.joined(separator: ".")
          throw .invalid(Limit.operand.refusal(test.comparison.isOfElements ? name + "[*]" : name))
        }
      }
    }

    private func isTooLarge(_ operand: Value) -> Bool {
      switch self {
      case .emulator: operand.storageSize > Limit.operand.value
      case .production: operand.hasOverlongName
      }
    }

    private static func checkParts(
      of query: Query, _ filter: StructuredQuery.Filter?
    ) throws(APIError) {
      let orders = query.explicitOrders
      let ancestors = query.parent.isRoot ? 0 : 1
      let most = filter?.mostTests ?? 0
      guard most + orders + ancestors > Limit.queryParts.value else { return }
      // Equal ones are only looked for where they may matter.
      let filters = filter.map { FilterPart($0).count } ?? 0
      guard filters + orders + ancestors > Limit.queryParts.value else { return }
      throw .invalid(
        Limit.queryParts.refusal(
          String(filters), String(orders), ancestors == 0 ? "no" : "one"))
    }
  }
}

extension Value {
  fileprivate var hasOverlongName: Bool {
    switch valueType {
    case .arrayValue(let array)?: array.values.contains(where: \.hasOverlongName)
    case .mapValue(let map)?:
      map.fields.contains { $0.0.utf8.count > Limit.fieldName.value || $0.1.hasOverlongName }
    default: false
    }
  }
}

/// A filter as the official emulator counts it: lists are written out, and of equal parts of a
/// composite one counts.
private enum FilterPart: Hashable {
  case test(String, StructuredQuery.FieldFilter.Operator, Value)
  case unary(String, StructuredQuery.UnaryFilter.Operator)
  /// A comparison with null or NaN that no value meets. It counts as two tests.
  case nothing(String)
  case all(Set<FilterPart>)
  case any(Set<FilterPart>)

  init(_ filter: StructuredQuery.Filter) {
    switch filter.filterType {
    case .compositeFilter(let composite)?:
      let parts = Set(composite.filters.map(FilterPart.init))
      self = composite.op == .or ? .any(parts) : .all(parts)
    case .unaryFilter(let filter)?: self = .unary(filter.field.fieldPath, filter.op)
    case .fieldFilter(let filter)?:
      let field = filter.field.fieldPath
      let values = filter.value.arrayValue.values
      switch filter.op {
      case .in: self = .any(Set(values.map { Self.part(field, op: .equal, value: $0) }))
      case .notIn: self = .all(Set(values.map { Self.part(field, op: .notEqual, value: $0) }))
      case .arrayContainsAny:
        self = .any(Set(values.map { Self.part(field, op: .arrayContains, value: $0) }))
      default: self = Self.part(field, op: filter.op, value: filter.value)
      }
    case nil: self = .all([])
    }
  }

  private static func part(
    _ field: String, op: StructuredQuery.FieldFilter.Operator, value: Value
  ) -> FilterPart {
    let isNull = value == .null
    guard isNull || value.doubleValue.isNaN else { return .test(field, op, value) }
    return switch op {
    // An array without any element is one test.
    case .arrayContains: .test(field, op, .null)
    case .notEqual where !isNull: .test(field, op, .null)
    default: .nothing(field)
    }
  }

  var count: Int {
    switch self {
    case .test, .unary: 1
    case .nothing: 2
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.count }
    }
  }
}

extension StructuredQuery.Filter {
  /// At least as many as count.
  fileprivate var mostTests: Int {
    switch filterType {
    case .compositeFilter(let composite)?: composite.filters.reduce(0) { $0 + $1.mostTests }
    case .fieldFilter(let filter)?: 2 * max(1, filter.value.arrayValue.values.count)
    case .unaryFilter?: 1
    case nil: 0
    }
  }
}
