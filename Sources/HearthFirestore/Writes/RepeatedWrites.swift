import HearthErrors

/// Several writes of one document in one commit: they become one change of it, and some cannot. The
/// pairs that are refused are those of the official emulator.
struct RepeatedWrites {
  /// What the earlier writes of a document leave to the next.
  private struct Change {
    /// Depends on the precondition: an insert requires that the document is missing, an update that
    /// it exists.
    enum Kind { case upsert, update, insert, delete, verify }

    let kind: Kind
    /// The version that the first of them requires.
    let version: Int64?

    init(_ write: CheckedWrite) {
      kind =
        switch (write.operation, write.condition) {
        case (.verify, _): .verify
        case (.delete, _): .delete
        case (.put, .none): .upsert
        case (.put, .exists(false)): .insert
        case (.put, .exists(true)), (.put, .version): .update
        }
      version = if case .version(let version) = write.condition { version } else { nil }
    }

    private init(_ kind: Kind, version: Int64?) {
      self.kind = kind
      self.version = version
    }

    /// The last kind counts for what may follow, and the first version for the comparison.
    func followed(by next: Change) -> Change { Change(next.kind, version: version) }
  }

  /// One for each document that was written so far.
  private var changes: [ResourcePath: Change] = [:]

  /// Refuses writes that cannot be one change with those before them. Of several that require a
  /// version, only the first is compared with what is stored.
  static func check(_ writes: inout [CheckedWrite]) throws(APIError) {
    guard writes.count > 1 else { return }
    var repeated = RepeatedWrites()
    for index in writes.indices { try repeated.add(&writes[index]) }
  }

  private mutating func add(_ write: inout CheckedWrite) throws(APIError) {
    let next = Change(write)
    guard let earlier = changes[write.path] else {
      changes[write.path] = next
      return
    }
    try Self.check(earlier, next: next, condition: write.condition)
    // It is known to be the version that the first one requires. Stored is what the earlier write
    // has left, with the time of this commit.
    if next.version != nil { write.condition = .none }
    changes[write.path] = earlier.followed(by: next)
  }

  private static func check(
    _ earlier: Change, next: Change, condition: CheckedWrite.Condition
  ) throws(APIError) {
    switch (earlier.kind, next.kind, condition) {
    case (.verify, .verify, _): throw fault("verified more than once")
    case (.verify, _, _): throw fault("verified and then written")
    case (_, .verify, _): throw fault("written and then verified")
    case (.delete, .update, _), (.delete, .delete, .exists(true)),
      (.upsert, _, .exists(false)), (.update, _, .exists(false)), (.insert, _, .exists(false)):
      throw .invalid("Cannot \(earlier.kind) then \(next.kind) an entity in the same request.")
    default: break
    }
    if let version = next.version, version != earlier.version {
      throw .invalid(
        "Cannot collapse mutations with different version preconditions "
          + "(\(earlier.version.map(String.init) ?? "none") and \(version)).")
    }
  }

  private static func fault(_ what: String) -> APIError {
    .invalid("the same document cannot be \(what) in a single request")
  }
}
