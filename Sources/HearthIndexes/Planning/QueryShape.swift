import HearthLimits

/// What decides which indexes a query needs: its fields, operators, directions and scope, and no
/// values. Queries of one shape have one plan.
package struct QueryShape: Sendable, Hashable {
  package struct Test: Sendable, Hashable {
    package let path: IndexedPath
    package let comparison: Comparison

    package init(_ path: IndexedPath, comparison: Comparison) {
      self.path = path
      self.comparison = comparison
    }
  }

  package enum Comparison: String, Sendable {
    case equal = "=="
    case oneOf = "in"
    case isNull = "is null"
    case isNaN = "is NaN"
    case contains = "array-contains"
    case containsAny = "array-contains-any"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case notEqual = "!="
    case notIn = "not-in"
    case isNotNull = "is not null"
    case isNotNaN = "is not NaN"

    package enum Kind: Sendable { case equality, element, inequality }

    package var kind: Kind {
      switch self {
      case .equal, .oneOf, .isNull, .isNaN: .equality
      case .contains, .containsAny: .element
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .notEqual, .notIn, .isNotNull,
        .isNotNaN:
        .inequality
      }
    }
  }

  package indirect enum Filter: Sendable, Hashable {
    case all([Filter])
    case any([Filter])
    case test(Test)

    /// The fields of its tests.
    package var paths: [IndexedPath] { tests.map(\.path) }

    var tests: [Test] {
      switch self {
      case .all(let filters), .any(let filters): filters.flatMap(\.tests)
      case .test(let test): [test]
      }
    }
  }

  package struct Order: Sendable, Hashable {
    package let path: IndexedPath
    package let isDescending: Bool

    package init(_ path: IndexedPath, isDescending: Bool = false) {
      self.path = path
      self.isDescending = isDescending
    }

    var field: IndexField { IndexField(path, mode: isDescending ? .descending : .ascending) }
  }

  package struct Nearest: Sendable, Hashable {
    package let path: IndexedPath
    package let dimension: Int

    package init(_ path: IndexedPath, dimension: Int) {
      self.path = path
      self.dimension = dimension
    }
  }

  package let collectionGroup: String
  package let scope: QueryScope
  package let filter: Filter?
  /// The orders that the query gives.
  package let orders: [Order]
  /// The fields that are summed up or averaged.
  package let aggregated: [IndexedPath]
  package let nearest: Nearest?

  package init(
    _ collectionGroup: String, scope: QueryScope, filter: Filter? = nil, orders: [Order] = [],
    aggregated: [IndexedPath] = [], nearest: Nearest? = nil
  ) {
    self.collectionGroup = collectionGroup
    self.scope = scope
    self.filter = filter
    self.orders = orders
    self.aggregated = aggregated
    self.nearest = nearest
  }

  /// The fields with an inequality anywhere in the query, by name; `__name__` is not among them.
  package var inequalityFields: [IndexedPath] {
    let paths = (filter?.tests ?? []).filter { $0.comparison.kind == .inequality }.map(\.path)
    return Set(paths).filter { !$0.isName }.sorted()
  }

  /// The order that results come in: the given one, then the other fields with an inequality by name,
  /// then the name. What is added has the direction of the last one given.
  package var effectiveOrder: [Order] {
    var order = orders
    let isDescending = orders.last?.isDescending ?? false
    for path in inequalityFields where !order.contains(where: { $0.path == path }) {
      order.append(Order(path, isDescending: isDescending))
    }
    if !order.contains(where: \.path.isName) {
      order.append(Order(.name, isDescending: isDescending))
    }
    return order
  }

  /// The alternatives of the filter, each with the tests that must all hold.
  ///
  /// - Throws: why the query is refused whatever indexes there are.
  package func disjuncts() throws(InvalidShape) -> [Set<Test>] {
    try checkOrder()
    let disjuncts =
      try filter.map { filter throws(InvalidShape) in
        try Self.disjuncts(of: filter)
      } ?? [[]]
    guard disjuncts.count <= Limit.disjunctions.value else {
      throw .tooManyDisjuncts(disjuncts.count)
    }
    guard disjuncts.allSatisfy({ $0.count { $0.comparison.kind == .element } <= 1 }) else {
      throw .severalElementTests
    }
    return disjuncts
  }

  /// More are not written out on the way.
  private static let mostOnTheWay = 1000

  private static func disjuncts(of filter: Filter) throws(InvalidShape) -> [Set<Test>] {
    var disjuncts: [Set<Test>]
    switch filter {
    case .test(let test): return [[test]]
    case .any(let filters):
      disjuncts = []
      for filter in filters {
        disjuncts = distinct(disjuncts + (try Self.disjuncts(of: filter)))
        guard disjuncts.count <= mostOnTheWay else { throw .tooManyDisjuncts(disjuncts.count) }
      }
    case .all(let filters):
      disjuncts = [[]]
      for filter in filters {
        let more = try Self.disjuncts(of: filter)
        guard disjuncts.count * more.count <= mostOnTheWay else {
          throw .tooManyDisjuncts(disjuncts.count * more.count)
        }
        disjuncts = distinct(disjuncts.flatMap { known in more.map { known.union($0) } })
      }
    }
    return disjuncts
  }

  private static func distinct(_ disjuncts: [Set<Test>]) -> [Set<Test>] {
    guard disjuncts.count > 1 else { return disjuncts }
    var seen: Set<Set<Test>> = []
    return disjuncts.filter { seen.insert($0).inserted }
  }

  private func checkOrder() throws(InvalidShape) {
    let order = effectiveOrder
    var seen: Set<IndexedPath> = []
    for path in order.map(\.path) where !seen.insert(path).inserted {
      throw .duplicateOrder(path)
    }
    guard order.last?.path.isName == true else { throw .orderAfterName }
    let tests = filter?.tests ?? []
    let isEqualToName = tests.contains { $0.path.isName && $0.comparison.kind == .equality }
    let comparesNames = tests.contains { $0.path.isName && $0.comparison.kind == .inequality }
    guard !isEqualToName || comparesNames || inequalityFields.isEmpty else {
      throw .equalityOnName
    }
  }
}

/// Why a query is refused whatever indexes there are.
package enum InvalidShape: Error, Equatable, CustomStringConvertible {
  case duplicateOrder(IndexedPath)
  case orderAfterName
  case equalityOnName
  case tooManyDisjuncts(Int)
  case severalElementTests

  package var description: String {
    switch self {
    case .duplicateOrder(let path): "order by clause cannot contain duplicate fields \(path)"
    case .orderAfterName: "order by clause cannot contain more fields after the key"
    case .equalityOnName:
      "Equality on key is not allowed if there are other inequality fields and key does not appear "
        + "in inequalities."
    case .tooManyDisjuncts(let count):
      Limit.disjunctions.refusal(String(count))
    case .severalElementTests:
      "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
    }
  }
}

extension QueryShape: CustomStringConvertible {
  /// The query as a person reads it, with `…` for values.
  package var description: String {
    var text = scope == .collectionGroup ? "collection group " : "collection "
    text += collectionGroup
    if let filter { text += " where " + Self.text(filter, isOutermost: true) }
    if !orders.isEmpty {
      let list = orders.map { "\($0.path)\($0.isDescending ? " desc" : "")" }
      text += " order by " + list.joined(separator: ", ")
    }
    if !aggregated.isEmpty {
      text += " aggregating " + aggregated.map(\.description).joined(separator: ", ")
    }
    if let nearest { text += " nearest to \(nearest.path) (\(nearest.dimension))" }
    return text
  }

  private static func text(_ filter: Filter, isOutermost: Bool = false) -> String {
    func joined(_ filters: [Filter], word: String) -> String {
      let text = filters.map { Self.text($0) }.joined(separator: " \(word) ")
      return isOutermost || filters.count == 1 ? text : "(\(text))"
    }
    switch filter {
    case .all(let filters): return joined(filters, word: "and")
    case .any(let filters): return joined(filters, word: "or")
    case .test(let test):
      switch test.comparison {
      case .isNull, .isNaN, .isNotNull, .isNotNaN:
        return "\(test.path) \(test.comparison.rawValue)"
      case .equal, .oneOf, .contains, .containsAny, .less, .lessOrEqual, .greater, .greaterOrEqual,
        .notEqual, .notIn:
        return "\(test.path) \(test.comparison.rawValue) …"
      }
    }
  }
}
