import HearthErrors
import HearthFirestoreProtos
import HearthLimits

/// One condition on one field. Values are in `OrderedBytes`.
struct FieldTest: Sendable, Hashable {
  enum Comparison: Sendable, Hashable {
    case equal([UInt8])
    /// Of an empty value, none.
    case notEqual([UInt8])
    /// Values of the bound's type; of an empty bound, none.
    case less([UInt8], orEqual: Bool)
    case greater([UInt8], orEqual: Bool)
    case contains([UInt8])
    case containsAny([[UInt8]])
    case oneOf([[UInt8]])
    case notOneOf([[UInt8]])

    var isExclusion: Bool {
      switch self {
      case .notEqual, .notOneOf: true
      case .equal, .less, .greater, .contains, .containsAny, .oneOf: false
      }
    }

    var isOfElements: Bool {
      switch self {
      case .contains, .containsAny: true
      case .equal, .notEqual, .less, .greater, .oneOf, .notOneOf: false
      }
    }

    var isNotIn: Bool { if case .notOneOf = self { true } else { false } }

    /// A test that nothing fulfils, such as less than null, is left out.
    var isInequality: Bool {
      switch self {
      case .less(let bound, _), .greater(let bound, _), .notEqual(let bound): !bound.isEmpty
      case .notOneOf(let values): values != [FieldTest.null]
      case .equal, .contains, .containsAny, .oneOf: false
      }
    }
  }

  let field: FieldPath
  let comparison: Comparison
  /// What the comparison is with, as the client wrote it.
  let operands: [Value]

  private static let null = Value.null.orderedBytes
  private static let nan = Value.double(.nan).orderedBytes

  private init(field: FieldPath, comparison: Comparison, operands: [Value]) {
    self.field = field
    self.comparison = comparison
    self.operands = operands
  }

  static func == (left: FieldTest, right: FieldTest) -> Bool {
    left.field == right.field && left.comparison == right.comparison
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(field)
    hasher.combine(comparison)
  }

  /// One test for each value of a test that is fulfilled by any of them; nil for other tests.
  var alternatives: [FieldTest]? {
    switch comparison {
    case .oneOf(let values):
      zip(values, operands).map {
        FieldTest(field: field, comparison: .equal($0), operands: [$1])
      }
    case .containsAny(let values):
      zip(values, operands).map {
        FieldTest(field: field, comparison: .contains($0), operands: [$1])
      }
    case .equal, .notEqual, .less, .greater, .contains, .notOneOf: nil
    }
  }

  init(_ filter: StructuredQuery.UnaryFilter) throws(APIError) {
    guard filter.operandType != nil else {
      throw .invalid("Unsupported UnaryFilter operand type (non-FIELD).")
    }
    field = try FieldPath(filter.field.fieldPath)
    switch filter.op {
    case .isNull: comparison = .equal(Self.null)
    case .isNan: comparison = .equal(Self.nan)
    case .isNotNull: comparison = .notEqual(Self.null)
    case .isNotNan: comparison = .notEqual(Self.nan)
    default: throw .invalid("Unknown UnaryFilter operator.")
    }
    guard !field.isDocumentName else { throw .invalid("__key__ filter value must be a Key") }
    operands = [filter.op == .isNull || filter.op == .isNotNull ? .null : .double(.nan)]
  }

  init(
    _ filter: StructuredQuery.FieldFilter, in database: DatabaseName
  ) throws(APIError) {
    field = try FieldPath(filter.field.fieldPath)
    let value = try ValueCheck.compared(filter.value, with: field)
    if field.isDocumentName { try Self.checkName(value, op: filter.op, database: database) }
    operands =
      switch filter.op {
      case .in, .arrayContainsAny: Self.matchable(value.arrayValue.values)
      case .notIn: Self.distinct(value.arrayValue.values)
      default: [value]
      }
    switch filter.op {
    case .arrayContainsAny:
      try Self.checkList(value, name: "ARRAY_CONTAINS_ANY", largest: Limit.comparisonValues.value)
      comparison = .containsAny(operands.map(\.orderedBytes))
    case .in:
      try Self.checkList(value, name: "IN", largest: Limit.comparisonValues.value)
      comparison = .oneOf(operands.map(\.orderedBytes))
    case .notIn:
      try Self.checkList(value, name: "NOT_IN", largest: Limit.excludedValues.value)
      comparison = .notOneOf(operands.map(\.orderedBytes).filter { $0 != Self.nan })
    default: comparison = try Self.comparison(filter.op, with: value.orderedBytes)
    }
  }

  /// A comparison with one value. With null or NaN nothing is equal, less or greater: only the unary
  /// tests find them.
  private static func comparison(
    _ op: StructuredQuery.FieldFilter.Operator, with bytes: [UInt8]
  ) throws(APIError) -> Comparison {
    let isUnordered = bytes == null || bytes == nan
    let bound = isUnordered ? [] : bytes
    return switch op {
    case .equal: isUnordered ? .oneOf([]) : .equal(bytes)
    case .notEqual where bytes == null: .notEqual([])
    case .notEqual: .notEqual(isUnordered ? null : bytes)
    case .lessThan: .less(bound, orEqual: false)
    case .lessThanOrEqual: .less(bound, orEqual: true)
    case .greaterThan: .greater(bound, orEqual: false)
    case .greaterThanOrEqual: .greater(bound, orEqual: true)
    case .arrayContains: isUnordered ? .containsAny([]) : .contains(bytes)
    default: throw .invalid("Unknown FieldFilter operator.")
    }
  }

  private static func checkList(
    _ value: Value, name: String, largest: Int
  ) throws(APIError) {
    guard case .arrayValue(let array)? = value.valueType else {
      throw .invalid("'\(name)' requires an ArrayValue.")
    }
    guard !array.values.isEmpty else {
      throw .invalid("'\(name)' requires an non-empty ArrayValue.")
    }
    guard array.values.count <= largest else {
      throw .invalid("'\(name)' supports up to \(largest) comparison values.")
    }
  }

  /// Null and NaN are found by tests of their own only, not by a list that holds them.
  private static func matchable(_ values: [Value]) -> [Value] {
    distinct(values).filter { $0.orderedBytes != null && $0.orderedBytes != nan }
  }

  private static func distinct(_ values: [Value]) -> [Value] {
    var seen: Set<[UInt8]> = []
    return values.filter { seen.insert($0.orderedBytes).inserted }
  }

  private static func checkName(
    _ value: Value, op: StructuredQuery.FieldFilter.Operator, database: DatabaseName
  ) throws(APIError) {
    let values: [Value]
    switch op {
    case .arrayContains, .arrayContainsAny:
      throw .invalid("the name __key__ is reserved")
    case .in, .notIn: values = value.arrayValue.values
    default: values = [value]
    }
    for value in values {
      guard case .referenceValue(let name)? = value.valueType else {
        throw .invalid("__key__ filter value must be a Key")
      }
      let named = try ResourcePath.reference(name).database
      guard named == database else {
        throw .invalid(
          "The request was for database '\(database)' but was attempting to access database "
            + "'\(named)'")
      }
    }
  }

  func matches(_ document: some ComparableDocument) -> Bool {
    guard let value = document.value(at: field) else { return false }
    switch comparison {
    case .contains(let element):
      return Self.elements(value).contains(element)
    case .containsAny(let wanted):
      let elements = Self.elements(value)
      return wanted.contains { elements.contains($0) }
    case .equal, .notEqual, .less, .greater, .oneOf, .notOneOf:
      return matches(value.orderedBytes)
    }
  }

  private func matches(_ bytes: [UInt8]) -> Bool {
    switch comparison {
    case .equal(let wanted): bytes == wanted
    // Null counts as missing here.
    case .notEqual(let unwanted):
      !unwanted.isEmpty && bytes != unwanted && bytes != Self.null
    // In their order NaN is the least number, but it is not less than any.
    case .less(let bound, let orEqual):
      bytes.first == bound.first && bytes != Self.nan
        && (bytes.isLess(than: bound) || orEqual && bytes == bound)
    case .greater(let bound, let orEqual):
      bytes.first == bound.first && (bound.isLess(than: bytes) || orEqual && bytes == bound)
    case .oneOf(let wanted): wanted.contains(bytes)
    case .notOneOf(let unwanted):
      bytes != Self.null && !unwanted.contains(Self.null) && !unwanted.contains(bytes)
    case .contains, .containsAny: false
    }
  }

  private static func elements(_ value: Value) -> [[UInt8]] {
    guard case .arrayValue(let array)? = value.valueType else { return [] }
    return array.values.map(\.orderedBytes)
  }
}
