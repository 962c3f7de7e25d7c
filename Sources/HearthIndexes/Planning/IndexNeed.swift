/// What an index must have to answer one alternative of a query: the fields that are compared for
/// equality in any order, then those that it is read in the order of.
struct IndexNeed {
  let group: String
  let scope: QueryScope
  /// The fields with an equality, ascending, and the one whose elements are tested.
  let prefix: Set<IndexField>
  /// The order without the fields of equalities, then the aggregated fields, then the name.
  let suffix: [IndexField]
  /// How many of the suffix are aggregated.
  let aggregated: Int
  let nearest: QueryShape.Nearest?

  init(_ tests: Set<QueryShape.Test>, of shape: QueryShape) {
    group = shape.collectionGroup
    scope = shape.scope
    nearest = shape.nearest
    let fields = tests.filter { !$0.path.isName }
    let equal = Set(fields.filter { $0.comparison.kind == .equality }.map(\.path))
    let element = fields.first { $0.comparison.kind == .element }?.path
    let order = shape.effectiveOrder.filter { !equal.contains($0.path) }
    let ordered = order.filter { !$0.path.isName }
    let sums = Set(shape.aggregated).filter { path in
      !equal.contains(path) && !ordered.contains { $0.path == path }
    }
    var prefix = Set(equal.map { IndexField($0, mode: .ascending) })
    if let element { prefix.insert(IndexField(element, mode: .contains)) }
    self.prefix = prefix
    aggregated = sums.count
    suffix =
      ordered.map(\.field) + sums.sorted().map { IndexField($0, mode: .ascending) }
      + [order.first { $0.path.isName }?.field ?? IndexField(.name, mode: .ascending)]
  }

  /// Whether all documents are read by name.
  var isOfNames: Bool {
    prefix.isEmpty && nearest == nil && suffix == [IndexField(.name, mode: .ascending)]
  }

  var prefixPaths: [IndexedPath] { prefix.map(\.path) }

  /// The prefix as production suggests it: elements first, then by name.
  var sortedPrefix: [IndexField] {
    prefix.sorted {
      if ($0.mode == .contains) != ($1.mode == .contains) { return $0.mode == .contains }
      return $0.path < $1.path
    }
  }

  /// The fields that are not part of the order but compared, as the index has them; nil where the
  /// index cannot take part.
  func prefix(of index: ServingIndex) -> Set<IndexField>? {
    let count = index.fields.count - suffix.count
    guard count >= 0, count <= prefix.count,
      isOrdered(index.fields[count...])
    else { return nil }
    var found: Set<IndexField> = []
    for field in index.fields.prefix(count) {
      let field = field.withoutDirection
      guard prefix.contains(field), found.insert(field).inserted else { return nil }
    }
    return found
  }

  /// Whether the end of an index is in the order that is needed. After a descending order it is not
  /// known which directions production wants of aggregated fields, which come in no order anyway.
  private func isOrdered(_ fields: ArraySlice<IndexField>) -> Bool {
    guard aggregated > 0, suffix.last?.mode == .descending else {
      return fields.elementsEqual(suffix)
    }
    let ordered = suffix.count - aggregated - 1
    return fields.prefix(ordered).elementsEqual(suffix.prefix(ordered))
      && fields.dropFirst(ordered).map(\.withoutDirection)
        == suffix.dropFirst(ordered).map(\.withoutDirection)
  }

  // MARK: Vectors

  var vector: IndexField? {
    nearest.map { IndexField($0.path, mode: .vector(dimension: $0.dimension)) }
  }

  /// What an index of vectors must have before the vector.
  var besideVector: [IndexField] { sortedPrefix + suffix.dropLast() }
}
