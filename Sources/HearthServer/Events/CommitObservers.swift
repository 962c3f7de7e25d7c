import HearthFirestore

/// Several who hear of commits.
final class CommitObservers: CommitObserver {
  private let all: [any CommitObserver]

  init(_ all: [any CommitObserver]) { self.all = all }

  var isWatching: Bool { all.contains { $0.isWatching } }

  func committed(_ commit: ObservedCommit) {
    for observer in all where observer.isWatching { observer.committed(commit) }
  }
}
