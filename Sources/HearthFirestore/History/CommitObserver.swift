package import HearthErrors
package import HearthSQLite

/// Hears of the commits that clients make, in their order, before the next one begins: it must not
/// take long. Imports, clears and restores are not told.
package protocol CommitObserver: AnyObject, Sendable {
  /// Whether anybody wants to know. Asked at each commit; without a yes nothing else is done.
  var isWatching: Bool { get }

  /// Writes in the transaction of the commit what must be there exactly if the commit is.
  ///
  /// - Throws: what makes the commit fail.
  func join(_ commit: ObservedCommit, in transaction: Transaction) throws(APIError)

  func committed(_ commit: ObservedCommit)
}

extension CommitObserver {
  package func join(_ commit: ObservedCommit, in transaction: Transaction) throws(APIError) {}
}

/// What a commit did to the documents that it changed.
package struct ObservedCommit: Sendable {
  package let database: DatabaseName
  /// In microseconds.
  package let time: Int64
  package let caller: FirestoreCaller
  /// One for each document, in the order of the writes.
  package let changes: [ObservedChange]

  /// Nil when nothing has changed in the end.
  init?(
    _ database: DatabaseName, time: Int64, by caller: FirestoreCaller, effects: [DocumentEffect]
  ) {
    guard !effects.isEmpty else { return nil }
    self.database = database
    self.time = time
    self.caller = caller
    changes = effects.map {
      ObservedChange(path: $0.path, before: $0.before, after: $0.after)
    }
  }
}

/// A document that was made, changed or deleted.
package struct ObservedChange: Sendable {
  package let path: ResourcePath
  package let before: StoredDocument?
  package let after: StoredDocument?

  /// About the memory that it takes.
  package var bytes: Int {
    300 + [before, after].reduce(0) { $0 + ($1.map { 200 + 2 * $0.fields.storageSize } ?? 0) }
  }
}
