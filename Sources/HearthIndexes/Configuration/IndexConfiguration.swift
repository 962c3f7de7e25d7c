/// The indexes of a database, as `firestore.indexes.json` lists them.
package struct IndexConfiguration: Sendable, Equatable {
  package var indexes: [CompositeIndex]
  package var overrides: [FieldOverride]

  package init(indexes: [CompositeIndex] = [], overrides: [FieldOverride] = []) {
    self.indexes = indexes
    self.overrides = overrides
  }

  /// The field of each collection group that says when a document is deleted, as text.
  package var timeToLiveFields: [String: String] {
    let fields = overrides.filter { $0.timeToLive == true }
    return Dictionary(
      fields.map { ($0.collectionGroup, $0.path.description) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Both configurations together: the indexes of the other that are missing here, and its overrides,
  /// whose entries are added to those of the same field.
  package func merged(with other: IndexConfiguration) -> IndexConfiguration {
    var merged = self
    for index in other.indexes where !merged.indexes.contains(where: { $0.isSame(as: index) }) {
      merged.indexes.append(index)
    }
    for override in other.overrides {
      let place = merged.overrides.firstIndex {
        $0.collectionGroup == override.collectionGroup && $0.path == override.path
      }
      guard let place else {
        merged.overrides.append(override)
        continue
      }
      for entry in override.entries
      where !merged.overrides[place].entries.contains(where: {
        $0.mode == entry.mode && $0.scope == entry.scope
      }) {
        merged.overrides[place].entries.append(entry)
      }
      merged.overrides[place].timeToLive =
        override.timeToLive ?? merged.overrides[place].timeToLive
    }
    return merged
  }

  /// How a field is indexed by itself: by the override of the field, of the nearest map around it, of
  /// every field of the group, or automatically.
  package func entries(of path: IndexedPath, in group: String) -> [FieldOverride.Entry] {
    guard !overrides.isEmpty else { return FieldOverride.automatic }
    for candidate in [path] + path.parents + [.every] {
      if let found = overrides.first(where: {
        $0.collectionGroup == group && $0.path == candidate
      }) {
        return found.entries
      }
    }
    let everywhere = overrides.first { $0.collectionGroup == "__default__" && $0.path == .every }
    return everywhere?.entries ?? FieldOverride.automatic
  }
}
