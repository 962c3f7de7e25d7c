import HearthFirestoreRules

/// What a commit does to one document, however many of its writes are about it. Rules judge it as
/// one write: from the state before the commit to the one after it.
struct RuleChange {
  let path: ResourcePath
  /// Before the first of the writes.
  let before: StoredDocument?
  /// After the last.
  private(set) var after: StoredDocument?
  private(set) var kind: DocumentEffect.Kind
  /// The condition of the first write. That a deletion needs a version says nothing of what follows
  /// it.
  private let condition: CheckedWrite.Condition
  /// The fields that the writes name; nil if one of them replaces the document.
  private(set) var mask: [FieldPath]?
  private(set) var transforms: [CheckedTransform]

  /// In the order in which the writes name the documents.
  static func all(_ effects: [DocumentEffect], of writes: [CheckedWrite]) -> [RuleChange] {
    var changes: [RuleChange] = []
    var positions: [ResourcePath: Int] = [:]
    for (effect, write) in zip(effects, writes) {
      if let position = positions[effect.path] {
        changes[position].add(effect, write: write)
      } else {
        positions[effect.path] = changes.count
        changes.append(RuleChange(effect, write: write))
      }
    }
    return changes
  }

  private init(_ effect: DocumentEffect, write: CheckedWrite) {
    path = effect.path
    before = effect.before
    after = effect.after
    kind = effect.kind
    switch write.operation {
    case .put(_, let mask, let transforms):
      (self.mask, self.transforms) = (mask, transforms)
      condition = write.condition
    case .delete, .verify:
      (mask, transforms) = (nil, [])
      condition = if case .exists = write.condition { write.condition } else { .none }
    }
  }

  private mutating func add(_ effect: DocumentEffect, write: CheckedWrite) {
    switch write.operation {
    case .put(_, let mask, let transforms):
      // What follows a delete replaces the document.
      if let earlier = self.mask, let mask {
        // As the official emulator shows them to rules.
        self.mask = Set(earlier + mask).sorted()
      } else {
        self.mask = nil
      }
      if kind == .put { self.transforms += transforms }
    case .delete, .verify: (mask, transforms) = (nil, [])
    }
    after = effect.after
    kind = effect.kind
  }

  /// What rules are asked. A precondition says whether a write creates or updates; only without one
  /// what exists does.
  var method: RuleMethod {
    switch (kind, condition) {
    case (.verify, _): .get
    case (.delete, _): .delete
    case (.put, .exists(false)): .create
    case (.put, .exists(true)), (.put, .version): .update
    case (.put, .none): before == nil ? .create : .update
    }
  }
}
