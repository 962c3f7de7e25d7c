import HearthErrors
import HearthFirestoreProtos
import HearthLimits

/// The condition of a query.
indirect enum QueryFilter: Sendable {
  case all([QueryFilter])
  case any([QueryFilter])
  case test(FieldTest)

  init(
    _ message: StructuredQuery.Filter, in database: DatabaseName
  ) throws(APIError) {
    switch message.filterType {
    case .compositeFilter(let composite)?:
      var filters: [QueryFilter] = []
      for filter in composite.filters { filters.append(try QueryFilter(filter, in: database)) }
      switch composite.op {
      case .and: self = .all(filters)
      case .or where filters.isEmpty:
        throw .invalid("Composite filter must have at least one sub-filter.")
      case .or: self = .any(filters)
      default: throw .invalid("Unsupported CompositeFilter operator.")
      }
    case .fieldFilter(let filter)?: self = .test(try FieldTest(filter, in: database))
    case .unaryFilter(let filter)?: self = .test(try FieldTest(filter))
    case nil: throw .invalid("Unknown Filter type.")
    }
  }

  func matches(_ document: some ComparableDocument) -> Bool {
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
    case .any: true
    case .all(let filters): filters.contains(where: \.hasDisjunction)
    case .test: false
    }
  }

  /// The combinations that production refuses.
  func check() throws(APIError) {
    let tests = tests
    guard inequalityFields.count <= Limit.inequalityFields.value else {
      var seen: Set<FieldPath> = []
      let fields = tests.filter(\.comparison.isInequality).map(\.field)
      let names = BucketOrder.sort(fields.filter { seen.insert($0).inserted }.map(\.description))
      throw .invalid(
        Limit.inequalityFields.refusal(String(names.count), names.joined(separator: ", ")))
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
          // An empty one is a comparison with null or NaN.
          case .oneOf(let values), .containsAny(let values): !values.isEmpty
          case .equal, .notEqual, .less, .greater, .contains, .notOneOf: false
          }
        }
      guard !isMixed else {
        throw .invalid(
          "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
      }
    }
    let isEqualToName = tests.contains { $0.field.isDocumentName && !$0.comparison.isInequality }
    let inequalities = inequalityFields
    if isEqualToName, !inequalities.isEmpty, !inequalities.contains(.documentName) {
      throw .invalid(
        "Equality on key is not allowed if there are other inequality fields and key does not "
          + "appear in inequalities.")
    }
    for conjunction in conjunctions(limit: 1000, splitting: false) ?? [] {
      guard conjunction.count(where: \.comparison.isOfElements) <= 1 else {
        throw .invalid("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
      }
    }
  }

  /// Apart, because other bounds of a query are looked at before.
  func checkDisjunctions() throws(APIError) {
    guard disjunctions > Limit.disjunctions.value else { return }
    let count = conjunctions(limit: 1000)?.count ?? disjunctions
    guard count <= Limit.disjunctions.value else {
      throw .invalid(Limit.disjunctions.refusal(String(count)))
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
      case .equal, .notEqual, .less, .greater, .contains, .notOneOf: 1
      }
    }
  }

  /// The alternatives of the filter, each a list of tests that must all hold, without repetitions;
  /// nil when there are more than the limit. A test for one of several values is that many
  /// alternatives, unless it is not to be split.
  func conjunctions(limit: Int, splitting: Bool = true) -> [[FieldTest]]? {
    switch self {
    case .test(let test):
      guard splitting, let alternatives = test.alternatives else { return [[test]] }
      return alternatives.count <= limit ? alternatives.map { [$0] } : nil
    case .any(let filters):
      var alternatives: [[FieldTest]] = []
      for filter in filters {
        guard let more = filter.conjunctions(limit: limit, splitting: splitting) else {
          return nil
        }
        alternatives = Self.distinct(alternatives + more)
        if alternatives.count > limit { return nil }
      }
      return alternatives
    case .all(let filters):
      var alternatives: [[FieldTest]] = [[]]
      for filter in filters {
        guard let more = filter.conjunctions(limit: limit, splitting: splitting) else {
          return nil
        }
        if alternatives.count * more.count > limit { return nil }
        alternatives = Self.distinct(
          alternatives.flatMap { known in
            more.map { tests in known + tests.filter { !known.contains($0) } }
          })
      }
      return alternatives
    }
  }

  private static func distinct(_ alternatives: [[FieldTest]]) -> [[FieldTest]] {
    guard alternatives.count > 1 else { return alternatives }
    var seen: Set<Set<FieldTest>> = []
    return alternatives.filter { seen.insert(Set($0)).inserted }
  }
}

extension Int {
  fileprivate func multipliedClamping(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? 1_000_000 : Swift.min(1_000_000, product)
  }
}
