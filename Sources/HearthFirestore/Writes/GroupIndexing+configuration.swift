import HearthIndexes

extension GroupIndexing {
  /// What a configuration says of a collection group.
  init(_ configuration: IndexConfiguration, _ group: String) {
    self.init()
    for override in configuration.overrides {
      let isOfGroup = override.collectionGroup == group
      let isStandard = override.collectionGroup == "__default__" && override.path == .every
      let path = override.path.segments
      guard isOfGroup || isStandard && overrides[path] == nil else { continue }
      overrides[path] = FieldIndexing(override.entries)
    }
    composites = configuration.indexes.filter { $0.collectionGroup == group }
      .map(CompositeIndexing.init)
  }
}

extension CompositeIndexing {
  fileprivate init(_ index: CompositeIndex) {
    let fields = index.fields.filter { !$0.path.isName }
    self.init(
      fields: fields.map(\.path.segments),
      contained: fields.first { $0.mode == .contains }?.path.segments,
      isOfGroup: index.scope == .collectionGroup)
  }
}

extension FieldIndexing {
  fileprivate init(_ entries: [FieldOverride.Entry]) {
    self.init()
    for entry in entries {
      switch (entry.mode, entry.scope) {
      // As of the automatic index, two for each element.
      case (.contains, .collection): containing += 2
      case (.contains, .collectionGroup): containingInGroup += 2
      case (_, .collection): ordered += 1
      case (_, .collectionGroup): orderedInGroup += 1
      }
    }
  }
}
