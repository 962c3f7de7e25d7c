import FirestoreProtos
import HearthCore

/// The condition of a query.
indirect enum QueryFilter: Sendable {
  case all([QueryFilter])
  case any([QueryFilter])
  case test(FieldTest)

  init(_ message: StructuredQuery.Filter) throws(APIError) {
    switch message.filterType {
    case .compositeFilter(let composite)?:
      guard !composite.filters.isEmpty else {
        throw .invalid("A composite filter must have at least one sub-filter.")
      }
      var filters: [QueryFilter] = []
      for filter in composite.filters { filters.append(try QueryFilter(filter)) }
      switch composite.op {
      case .and: self = .all(filters)
      case .or: self = .any(filters)
      default: throw .invalid("A composite filter must have the operator AND or OR.")
      }
    case .fieldFilter(let filter)?: self = .test(try FieldTest(filter))
    case .unaryFilter(let filter)?: self = .test(try FieldTest(filter))
    case nil: throw .invalid("A filter must have a type.")
    }
  }

  func matches(_ document: StoredDocument) -> Bool {
    switch self {
    case .all(let filters): filters.allSatisfy { $0.matches(document) }
    case .any(let filters): filters.contains { $0.matches(document) }
    case .test(let test): test.matches(document)
    }
  }

  var tests: [FieldTest] {
    switch self {
    case .all(let filters), .any(let filters): filters.flatMap(\.tests)
    case .test(let test): [test]
    }
  }

  var inequalityFields: Set<FieldPath> {
    Set(tests.filter(\.comparison.isInequality).map(\.field))
  }

  private var hasDisjunction: Bool {
    switch self {
    case .any(let filters): filters.count > 1 || filters.contains(where: \.hasDisjunction)
    case .all(let filters): filters.contains(where: \.hasDisjunction)
    case .test: false
    }
  }

  /// The combinations that production refuses.
  func check() throws(APIError) {
    let tests = tests
    guard inequalityFields.count <= 10 else {
      throw .invalid("A query can have inequalities on 10 fields at most.")
    }
    let exclusions = tests.filter(\.comparison.isExclusion)
    guard exclusions.count <= 1 else {
      throw .invalid(
        "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per "
          + "query.")
    }
    if tests.contains(where: \.comparison.isNotIn) {
      let isMixed =
        hasDisjunction
        || tests.contains {
          switch $0.comparison {
          case .oneOf, .containsAny: true
          default: false
          }
        }
      guard !isMixed else {
        throw .invalid(
          "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
      }
    }
    guard disjunctions <= 30 else {
      throw .invalid(
        "The query has \(disjunctions) disjunctions, more than the 30 that are allowed.")
    }
    for conjunction in conjunctions(limit: 100) ?? [] {
      let arrays = conjunction.filter {
        if case .contains = $0.comparison { true } else { false }
      }
      guard arrays.count <= 1 else {
        throw .invalid("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
      }
    }
  }

  /// How many alternatives the filter has when it is written out.
  private var disjunctions: Int {
    switch self {
    case .all(let filters):
      filters.reduce(1) { $0.multipliedClamping(by: $1.disjunctions) }
    case .any(let filters): filters.reduce(0) { min(1_000_000, $0 + $1.disjunctions) }
    case .test(let test):
      switch test.comparison {
      case .oneOf(let values), .containsAny(let values): max(1, values.count)
      default: 1
      }
    }
  }

  /// The alternatives of the filter, each a list of tests that must all hold; nil when there are
  /// more than the limit.
  func conjunctions(limit: Int) -> [[FieldTest]]? {
    switch self {
    case .test(let test):
      guard let alternatives = test.alternatives else { return [[test]] }
      return alternatives.count <= limit ? alternatives.map { [$0] } : nil
    case .any(let filters):
      var alternatives: [[FieldTest]] = []
      for filter in filters {
        guard let more = filter.conjunctions(limit: limit) else { return nil }
        alternatives += more
        if alternatives.count > limit { return nil }
      }
      return alternatives
    case .all(let filters):
      var alternatives: [[FieldTest]] = [[]]
      for filter in filters {
        guard let more = filter.conjunctions(limit: limit) else { return nil }
        if alternatives.count * more.count > limit { return nil }
        alternatives = alternatives.flatMap { known in more.map { known + $0 } }
      }
      return alternatives
    }
  }
}

extension Int {
  fileprivate func multipliedClamping(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? 1_000_000 : Swift.min(1_000_000, product)
  }
}

/// One condition on one field. Values are in `OrderedBytes`.
struct FieldTest: Sendable {
  enum Comparison: Sendable {
    case equal([UInt8])
    case notEqual([UInt8])
    case less([UInt8], orEqual: Bool)
    case greater([UInt8], orEqual: Bool)
    case contains([UInt8])
    case containsAny([[UInt8]])
    case oneOf([[UInt8]])
    case notOneOf([[UInt8]])

    var isExclusion: Bool {
      switch self {
      case .notEqual, .notOneOf: true
      default: false
      }
    }

    var isNotIn: Bool { if case .notOneOf = self { true } else { false } }

    var isInequality: Bool {
      switch self {
      case .less, .greater, .notEqual, .notOneOf: true
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
    default: nil
    }
  }

  init(_ filter: StructuredQuery.UnaryFilter) throws(APIError) {
    field = try FieldPath(filter.field.fieldPath)
    switch filter.op {
    case .isNull: comparison = .equal(Self.null)
    case .isNan: comparison = .equal(Self.nan)
    case .isNotNull: comparison = .notEqual(Self.null)
    case .isNotNan: comparison = .notEqual(Self.nan)
    default: throw .invalid("A unary filter must have an operator.")
    }
    operands = [filter.op == .isNull || filter.op == .isNotNull ? .null : .double(.nan)]
  }

  init(_ filter: StructuredQuery.FieldFilter) throws(APIError) {
    field = try FieldPath(filter.field.fieldPath)
    guard filter.hasValue, filter.value.valueType != nil else {
      throw .invalid("A field filter must have a value.")
    }
    let value = filter.value
    operands =
      switch filter.op {
      case .in, .arrayContainsAny: Self.matchable(value.arrayValue.values)
      case .notIn: Self.distinct(value.arrayValue.values)
      default: [value]
      }
    if field.isDocumentName { try Self.checkName(value, filter.op) }
    switch filter.op {
    case .equal: comparison = .equal(value.orderedBytes)
    case .notEqual: comparison = .notEqual(value.orderedBytes)
    case .lessThan: comparison = .less(value.orderedBytes, orEqual: false)
    case .lessThanOrEqual: comparison = .less(value.orderedBytes, orEqual: true)
    case .greaterThan: comparison = .greater(value.orderedBytes, orEqual: false)
    case .greaterThanOrEqual: comparison = .greater(value.orderedBytes, orEqual: true)
    case .arrayContains: comparison = .contains(value.orderedBytes)
    case .arrayContainsAny:
      try Self.checkList(value, "ARRAY_CONTAINS_ANY", largest: 30)
      comparison = .containsAny(operands.map(\.orderedBytes))
    case .in:
      try Self.checkList(value, "IN", largest: 30)
      comparison = .oneOf(operands.map(\.orderedBytes))
    case .notIn:
      try Self.checkList(value, "NOT_IN", largest: 10)
      comparison = .notOneOf(operands.map(\.orderedBytes))
    default: throw .invalid("A field filter must have an operator.")
    }
  }

  private static func checkList(
    _ value: Value, _ name: String, largest: Int
  ) throws(APIError) {
    guard case .arrayValue(let array)? = value.valueType else {
      throw .invalid("'\(name)' requires an ArrayValue.")
    }
    guard !array.values.isEmpty else {
      throw .invalid("'\(name)' requires a non-empty ArrayValue.")
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
    _ value: Value, _ op: StructuredQuery.FieldFilter.Operator
  ) throws(APIError) {
    let values: [Value]
    switch op {
    case .arrayContains, .arrayContainsAny:
      throw .invalid("__name__ is no array.")
    case .in, .notIn: values = value.arrayValue.values
    default: values = [value]
    }
    for value in values {
      guard case .referenceValue(let name)? = value.valueType else {
        throw .invalid("__key__ filter value must be a Key")
      }
      _ = try ResourcePath.document(name)
    }
  }

  func matches(_ document: StoredDocument) -> Bool {
    guard let value = document.value(at: field) else { return false }
    switch comparison {
    case .contains(let element):
      return Self.elements(value).contains(element)
    case .containsAny(let wanted):
      let elements = Self.elements(value)
      return wanted.contains { elements.contains($0) }
    default: return matches(value.orderedBytes)
    }
  }

  private func matches(_ bytes: [UInt8]) -> Bool {
    switch comparison {
    case .equal(let wanted): bytes == wanted
    // Null counts as missing here.
    case .notEqual(let unwanted): bytes != unwanted && bytes != Self.null
    case .less(let bound, let orEqual):
      bytes.first == bound.first && (bytes.isLess(than: bound) || orEqual && bytes == bound)
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
