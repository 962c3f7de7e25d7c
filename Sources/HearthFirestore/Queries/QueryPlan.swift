import HearthErrors

/// Which part of an index to look at for one alternative of a filter in one collection.
struct QueryPlan {
  private(set) var range: Documents.Range
  /// Whether the scan meets documents of the result in the query's order, so that it can stop at the
  /// limit.
  private(set) var isOrdered: Bool
  let isDescending: Bool
  /// Whether what lies after the query's end lies at the end of the scan too. Where a condition
  /// fixes the first field of the order, this holds only for documents that meet that condition.
  var isOrderedThroughout = true

  /// Ranges with fewer entries are read and sorted rather than filtered in the query's order.
  private static let small = 500

  /// A range of the index that holds all documents for which one of the tests holds.
  private struct Candidate {
    let from: [UInt8]
    let to: [UInt8]
    /// The field in whose order the range is; nil when it is a single value.
    let field: FieldPath?
  }

  /// The same plan for what is left of its range.
  func from(_ rest: Documents.Range) -> QueryPlan {
    var plan = self
    plan.range = rest
    return plan
  }

  /// Chooses by counting, but never further than a few hundred entries. The tests are one
  /// alternative of the filter, and perhaps the only one.
  static func choose(
    _ query: Query, tests: [FieldTest], isOnly: Bool, collection: Documents.Collection,
    in documents: Documents
  ) throws(APIError) -> QueryPlan {
    var plan = try choose(
      query, tests: tests, isOnly: isOnly, collection: collection, documents: documents)
    // Scans meet names in the order of their bytes; those that are numbers come first, by value.
    if try documents.hasNumericIds(collection) {
      plan.isOrdered = false
      if case .names = plan.range { plan.range = .names(from: nil, to: nil) }
    }
    return plan
  }

  private static func choose(
    _ query: Query, tests: [FieldTest], isOnly: Bool, collection: Documents.Collection,
    documents: Documents
  ) throws(APIError) -> QueryPlan {
    let first = query.orders[0]
    let direction = first.isDescending
    // The order of one scan: the first field, and after it names in the same direction.
    let isSimple =
      query.orders.count <= 2 && query.orders.allSatisfy { $0.isDescending == direction }
    let equalities = Self.equalities(tests)
    var smallest: (candidate: Candidate, count: Int)?
    for candidate in equalities {
      let count = try documents.count(
        collection, from: candidate.from, to: candidate.to, upTo: small)
      if count < smallest?.count ?? .max { smallest = (candidate, count) }
    }

    if first.field.isDocumentName {
      if let smallest { return plan(smallest.candidate, isOrdered: true, isDescending: direction) }
      if let range = Self.ranges(tests, query: query).first {
        return plan(range, isOrdered: false, isDescending: direction)
      }
      return QueryPlan(
        range: names(tests, query: query, collection: collection), isOrdered: true,
        isDescending: direction)
    }
    // In the first field's order: a range on it, or all of its values.
    let ordered =
      Self.ranges(tests, query: query).first { $0.field == first.field }
      ?? bounded(IndexEntries.all(first.field), field: first.field)
    // Documents of another alternative may have other values there.
    let isFixed =
      isOnly
      && tests.contains {
        if case .equal = $0.comparison { $0.field == first.field } else { false }
      }
    if let smallest {
      let isOrdered = isSimple && isFixed
      if isOrdered || smallest.count < small || query.limit == nil {
        var chosen = plan(smallest.candidate, isOrdered: isOrdered, isDescending: direction)
        chosen.isOrderedThroughout = false
        return chosen
      }
    }
    if query.limit == nil || !isSimple, let other = Self.ranges(tests, query: query).first {
      return plan(other, isOrdered: isSimple && other.field == first.field, isDescending: direction)
    }
    return plan(ordered, isOrdered: isSimple, isDescending: direction)
  }

  private static func plan(
    _ candidate: Candidate, isOrdered: Bool, isDescending: Bool
  ) -> QueryPlan {
    QueryPlan(
      range: .keys(from: candidate.from, to: candidate.to), isOrdered: isOrdered,
      isDescending: isDescending)
  }

  private static func bounded(
    _ range: (from: [UInt8], to: [UInt8]), field: FieldPath?
  ) -> Candidate {
    Candidate(from: range.from, to: range.to, field: field)
  }

  private static func equalities(_ tests: [FieldTest]) -> [Candidate] {
    tests.filter { !$0.field.isDocumentName }.compactMap { test in
      switch test.comparison {
      case .equal(let value): bounded(IndexEntries.equal(test.field, bytes: value), field: nil)
      case .contains(let value):
        bounded(IndexEntries.containing(test.field, bytes: value), field: nil)
      case .notEqual, .less, .greater, .containsAny, .oneOf, .notOneOf: nil
      }
    }
  }

  /// One range for each field with bounds; the cursor of the first order narrows its field's.
  private static func ranges(_ tests: [FieldTest], query: Query) -> [Candidate] {
    var fields: [FieldPath] = []
    for test in tests where test.comparison.isInequality && !test.field.isDocumentName {
      if !fields.contains(test.field) { fields.append(test.field) }
    }
    return fields.map { field in
      var low: [UInt8]?
      var high: [UInt8]?
      var kind: UInt8?
      for test in tests where test.field == field {
        switch test.comparison {
        case .greater(let bound, _):
          if low.map({ $0.isLess(than: bound) }) ?? true { low = bound }
          kind = bound.first
        case .less(let bound, _):
          if high.map({ bound.isLess(than: $0) }) ?? true { high = bound }
          kind = bound.first
        case .equal, .notEqual, .contains, .containsAny, .oneOf, .notOneOf: break
        }
      }
      guard let kind else { return bounded(IndexEntries.all(field), field: field) }
      return bounded(IndexEntries.between(field, low: low, high: high, kind: kind), field: field)
    }
  }

  /// A range of names, from conditions on `__name__` and from cursors of a query by name.
  private static func names(
    _ tests: [FieldTest], query: Query, collection: Documents.Collection
  ) -> Documents.Range {
    var low: String?
    var high: String?
    func narrow(_ bytes: [UInt8], isLow: Bool) {
      // One of this collection has one more segment.
      guard let segments = OrderedBytes.segments(ofReference: bytes) else { return }
      let path = Array(segments.dropFirst(5))
      guard path.count == collection.path.segments.count + 1,
        path.starts(with: collection.path.segments), let name = path.last
      else { return }
      if isLow {
        if low.map({ $0.utf8.lexicographicallyPrecedes(name.utf8) }) ?? true { low = name }
      } else if high.map({ name.utf8.lexicographicallyPrecedes($0.utf8) }) ?? true {
        high = name
      }
    }
    for test in tests where test.field.isDocumentName {
      switch test.comparison {
      case .equal(let name):
        narrow(name, isLow: true)
        narrow(name, isLow: false)
      case .greater(let name, _): narrow(name, isLow: true)
      case .less(let name, _): narrow(name, isLow: false)
      case .notEqual, .contains, .containsAny, .oneOf, .notOneOf: break
      }
    }
    if let order = query.orders.first, order.field.isDocumentName {
      if let start = query.start?.values.first { narrow(start, isLow: !order.isDescending) }
      if let end = query.end?.values.first { narrow(end, isLow: order.isDescending) }
    }
    return .names(from: low, to: high)
  }
}
