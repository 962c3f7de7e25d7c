import HearthIndexes

extension GroupIndexing {
  /// What a configuration says of a collection group. An override of the group itself comes before
  /// that of `__default__`, which is for every group.
  init(_ configuration: IndexConfiguration, group: String) {
    self.init()
    for override in configuration.overrides {
      let isOfGroup = override.collectionGroup == group
      let isStandard = override.collectionGroup == "__default__" && override.path == .every
      let path = override.path.segments
      guard isOfGroup || isStandard && overrides[path] == nil else { continue }
      // An override replaces the automatic indexes of a field: an empty one leaves it without any.
      overrides[path] = FieldIndexing(override.entries)
    }
    composites = configuration.indexes.filter { $0.collectionGroup == group }
      .map(CompositeIndexing.init)
  }
}

extension CompositeIndexing {
  fileprivate init(_ index: CompositeIndex) {
    // The name is in each entry in any case.
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
