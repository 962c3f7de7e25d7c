import Synchronization

/// What is left to do when the running transaction ends, in one way or the other. The store owns it
/// and runs it; the lock is for the compiler, as there is one transaction at a time.
final class TransactionEndings: Sendable {
  private let actions = Mutex<[@Sendable () -> Void]>([])

  func add(_ action: @escaping @Sendable () -> Void) { actions.withLock { $0.append(action) } }

  /// Runs what there is, and forgets it before: an action may add others, which are for the next
  /// transaction.
  func run() {
    let actions = actions.withLock { actions in
      guard !actions.isEmpty else { return [] as [@Sendable () -> Void] }
      defer { actions.removeAll() }
      return actions
    }
    for action in actions { action() }
  }
}
