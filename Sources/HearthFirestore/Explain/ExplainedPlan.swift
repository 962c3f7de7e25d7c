import HearthIndexes

/// The indexes that answer a query, as explain shows them: for each alternative of the filter, one or
/// several that are merged.
struct ExplainedPlan: Sendable, Equatable {
  struct Index: Sendable, Equatable {
    /// `(a ASC, __name__ ASC)`
    let properties: String
    let isOfGroup: Bool
    /// The fields that are compared for equality, or for an element.
    let prefix: Set<FieldPath>
  }

  struct Alternative: Sendable {
    let tests: [FieldTest]
    let indexes: [Index]
    /// How many ranges of the index are read: what is not equal lies on both sides of a value.
    var ranges: Int {
      tests.map { test in
        switch test.comparison {
        case .notEqual: 2
        case .notOneOf(let values): values.count + 1
        case .equal, .less, .greater, .contains, .containsAny, .oneOf: 1
        }
      }.max() ?? 1
    }
  }

  let alternatives: [Alternative]

  var indexes: [Index] {
    alternatives.flatMap { alternative in
      (0..<alternative.ranges).flatMap { _ in alternative.indexes }
    }
  }

  static func == (left: ExplainedPlan, right: ExplainedPlan) -> Bool {
    left.indexes == right.indexes
  }

  /// From the indexes that the database has, as `serving` finds them. Without these it is as if
  /// there were an index of each field, and the composite index that the query needs. `aggregated`
  /// are the fields of sums and averages.
  init(
    _ query: Query, aggregated: [FieldPath] = [], serving: (Query) -> IndexPlan? = { _ in nil }
  ) {
    // Nothing is read where nothing is wanted.
    guard query.limit != 0 else {
      alternatives = []
      return
    }
    let conjunctions = query.filter.map { $0.conjunctions(limit: 100) ?? [[]] } ?? [[]]
    alternatives = conjunctions.map { tests in
      var part = query
      part.filter = tests.isEmpty ? nil : .all(tests.map { .test($0) })
      // How a vector is written in an index is said below.
      let known = query.nearest == nil ? Self.indexes(of: serving(part), for: tests) : []
      return Alternative(
        tests: tests,
        indexes: known.isEmpty ? Self.indexes(for: tests, of: query, aggregated) : known)
    }
  }

  /// None where an index is missing, or none is needed.
  private static func indexes(of plan: IndexPlan?, for tests: [FieldTest]) -> [Index] {
    guard let plan, plan.isServed else { return [] }
    let compared = Set(
      tests.filter { $0.isEquality || $0.comparison.isOfElements }.map(\.field))
    return plan.disjuncts.flatMap(\.answer.indexes).map { index in
      Index(
        properties: index.description, isOfGroup: index.scope == .collectionGroup,
        prefix: compared.intersection(index.fields.map { FieldPath(segments: $0.path.segments) }))
    }
  }

  private static func indexes(
    for tests: [FieldTest], of query: Query, _ aggregated: [FieldPath]
  ) -> [Index] {
    let equal = Set(tests.filter { $0.isEquality }.map(\.field))
    let elements = Set(tests.filter { $0.comparison.isOfElements }.map(\.field))
    let order = query.orders.filter { !equal.contains($0.field) && !$0.field.isDocumentName }
    let isDescending = query.orders.last?.isDescending ?? false
    let direction = isDescending ? "DESC" : "ASC"
    let name = ["__name__ \(direction)"]
    let sums = Set(aggregated).filter { field in
      !equal.contains(field) && !order.contains { $0.field == field }
    }
    let suffix =
      order.map { "\($0.field) \($0.isDescending ? "DESC" : "ASC")" }
      + sums.sorted().map { "\($0) \(direction)" }
    func index(_ parts: [String], prefix: Set<FieldPath>) -> Index {
      Index(
        properties: "(\(parts.joined(separator: ", ")))", isOfGroup: query.allDescendants,
        prefix: prefix)
    }
    let contained = elements.sorted().map { "\($0) ARRAY_CONTAINS" }
    if let nearest = query.nearest {
      let parts = contained + equal.sorted().map { "\($0) ASC" } + suffix + ["__name__ ASC"]
      return [index(parts + [nearest.property], prefix: equal.union(elements))]
    }
    let isMerge = suffix.isEmpty && equal.count + elements.count > 1
    guard isMerge else {
      let compared = equal.sorted().map { "\($0) \(suffix.isEmpty ? direction : "ASC")" }
      return [index(contained + compared + suffix + name, prefix: equal.union(elements))]
    }
    var members =
      elements.sorted().map { index(["\($0) ARRAY_CONTAINS"] + name, prefix: [$0]) }
      + equal.sorted().map { index(["\($0) \(direction)"] + name, prefix: [$0]) }
    // As recorded of production: the first two are the other way round.
    members.swapAt(0, 1)
    return members
  }
}

extension FieldTest {
  fileprivate var isEquality: Bool {
    if field.isDocumentName { return false }
    return switch comparison {
    case .equal, .oneOf: true
    case .notEqual, .less, .greater, .contains, .containsAny, .notOneOf: false
    }
  }
}
