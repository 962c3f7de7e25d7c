/// A configuration, laid out for planning.
package struct IndexCatalogue: Sendable {
  package let configuration: IndexConfiguration
  /// The composite indexes of each collection group.
  private let composites: [String: [ServingIndex]]

  package init(_ configuration: IndexConfiguration = IndexConfiguration()) {
    self.configuration = configuration
    var composites: [String: [ServingIndex]] = [:]
    for (position, index) in configuration.indexes.enumerated() where index.isForQueries {
      composites[index.collectionGroup, default: []].append(
        ServingIndex(
          collectionGroup: index.collectionGroup, scope: index.scope, fields: index.completeFields,
          position: position))
    }
    self.composites = composites
  }

  /// The composite indexes that a query of that scope can use. An index of a collection group serves
  /// its collections too.
  func composites(of group: String, for scope: QueryScope) -> [ServingIndex] {
    let all = composites[group] ?? []
    return scope == .collection ? all : all.filter { $0.scope == .collectionGroup }
  }

  /// The indexes of single fields. An index of elements has names in either direction.
  func singles(of path: IndexedPath, in group: String, for scope: QueryScope) -> [ServingIndex] {
    guard !path.isName else { return [] }
    return configuration.entries(of: path, in: group).filter { $0.scope == scope }.flatMap {
      entry in
      let directions: [IndexField.Mode] =
        entry.mode == .contains ? [.ascending, .descending] : [entry.mode]
      return directions.map { direction in
        ServingIndex(
          collectionGroup: group, scope: scope,
          fields: [IndexField(path, mode: entry.mode), IndexField(.name, mode: direction)],
          position: nil)
      }
    }
  }
}
