package import HearthErrors
package import HearthFirestore
package import HearthSQLite

/// Passes commits on to several observers, in the order in which they are given.
///
/// The list never changes, so it needs no lock. It is called within the lock of the store.
package final class CommitObservers: CommitObserver {
  private let all: [any CommitObserver]

  package init(_ all: [any CommitObserver]) { self.all = all }

  package var isWatching: Bool { all.contains { $0.isWatching } }

  package func join(_ commit: ObservedCommit, in transaction: Transaction) throws(APIError) {
    for observer in all where observer.isWatching { try observer.join(commit, in: transaction) }
  }

  package func committed(_ commit: ObservedCommit) {
    // Asked again, because an observer may not want what another one does.
    for observer in all where observer.isWatching { observer.committed(commit) }
  }
}
