import HearthFirestoreRules

/// What a commit does to one document, however many of its writes are about it. Rules judge it as
/// one write: from the state before the commit to the one after it.
struct RuleChange {
  let path: ResourcePath
  /// Before the first of the writes.
  let before: StoredDocument?
  /// After the last.
  let after: StoredDocument?
  let kind: DocumentEffect.Kind
  /// The condition of the first write. That a deletion needs a version says nothing of what follows
  /// it.
  private let condition: CheckedWrite.Condition
  /// The fields that the writes name; nil if one of them replaces the document.
  private(set) var mask: [FieldPath]?
  private(set) var transforms: [CheckedTransform]

  /// One for each document, in their order.
  static func all(_ changes: [DocumentEffect], of writes: [CheckedWrite]) -> [RuleChange] {
    let writes = Dictionary(grouping: writes, by: \.path)
    return changes.compactMap { change in
      guard let writes = writes[change.path], let first = writes.first else { return nil }
      return RuleChange(change, first: first, others: writes.dropFirst())
    }
  }

  private init(_ change: DocumentEffect, first: CheckedWrite, others: ArraySlice<CheckedWrite>) {
    path = change.path
    before = change.before
    after = change.after
    kind = change.kind
    switch first.operation {
    case .put(_, let mask, let transforms):
      (self.mask, self.transforms) = (mask, transforms)
      condition = first.condition
    case .delete, .verify:
      (mask, transforms) = (nil, [])
      condition = if case .exists = first.condition { first.condition } else { .none }
    }
    var previous = first
    for write in others {
      add(write, after: previous)
      previous = write
    }
  }

  private mutating func add(_ write: CheckedWrite, after previous: CheckedWrite) {
    switch write.operation {
    case .put(_, let mask, let transforms):
      // What follows a delete replaces the document.
      if let earlier = self.mask, let mask {
        // As the official emulator shows them to rules.
        self.mask = Set(earlier + mask).sorted()
      } else {
        self.mask = nil
      }
      if case .put = previous.operation { self.transforms += transforms }
    case .delete, .verify: (mask, transforms) = (nil, [])
    }
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
