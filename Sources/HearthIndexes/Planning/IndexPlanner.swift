extension IndexCatalogue {
  /// Plans a query: every alternative of its filter is answered by itself, all in the same order.
  ///
  /// - Throws: why the query is refused whatever indexes there are.
  package func plan(_ shape: QueryShape) throws(InvalidShape) -> IndexPlan {
    IndexPlan(disjuncts: try shape.disjuncts().map { plan($0, of: shape) })
  }

  /// Plans one alternative of a query.
  package func plan(_ tests: Set<QueryShape.Test>, of shape: QueryShape) -> IndexPlan.Disjunct {
    let need = IndexNeed(tests, of: shape)
    return IndexPlan.Disjunct(tests: tests, answer: answer(need))
  }

  private func answer(_ need: IndexNeed) -> IndexPlan.Answer {
    if need.isOfNames { return .names }
    if need.nearest != nil { return nearest(need) }
    let candidates = composites(of: need.group, for: need.scope) + singles(for: need)
    var parts: [(index: ServingIndex, prefix: Set<IndexField>)] = []
    for index in candidates {
      guard let prefix = need.prefix(of: index) else { continue }
      if prefix.count == need.prefix.count { return .index(index) }
      if !prefix.isEmpty { parts.append((index, prefix)) }
    }
    // Long ones first, so that few are merged.
    parts.sort { $0.prefix.count > $1.prefix.count }
    var uncovered = need.prefix
    var merged: [ServingIndex] = []
    for part in parts where !uncovered.isDisjoint(with: part.prefix) {
      uncovered.subtract(part.prefix)
      merged.append(part.index)
    }
    guard uncovered.isEmpty, !merged.isEmpty else { return .missing(MissingIndex(need)) }
    return .merge(Self.asExplained(merged))
  }

  /// In the order that production explains them in: by their first fields, with the first two swapped.
  private static func asExplained(_ indexes: [ServingIndex]) -> [ServingIndex] {
    var sorted = indexes.sorted { left, right in
      guard let first = left.fields.first, let second = right.fields.first else { return false }
      return first.path < second.path
    }
    if sorted.count > 1 { sorted.swapAt(0, 1) }
    return sorted
  }

  /// The indexes of single fields that can help.
  private func singles(for need: IndexNeed) -> [ServingIndex] {
    // They have one field before the name.
    guard need.prefix.isEmpty ? need.suffix.count == 2 : need.suffix.count == 1 else { return [] }
    let paths = need.prefix.isEmpty ? need.suffix.prefix(1).map(\.path) : need.prefixPaths
    return paths.flatMap { singles(of: $0, in: need.group, for: need.scope) }
  }

  /// Vectors are compared one by one: the other fields must be in the index, in any order.
  private func nearest(_ need: IndexNeed) -> IndexPlan.Answer {
    let found = composites(of: need.group, for: need.scope).first { index in
      guard let vector = index.fields.last, vector == need.vector else { return false }
      let others = index.fields.dropLast().filter { !$0.path.isName }
      return Set(others.map(\.withoutDirection)) == Set(need.besideVector.map(\.withoutDirection))
    }
    return found.map { .index($0) } ?? .missing(MissingIndex(need))
  }
}

extension IndexField {
  /// Which direction an index has matters where it is read in its order only.
  var withoutDirection: IndexField { mode.isDirection ? IndexField(path, mode: .ascending) : self }
}
