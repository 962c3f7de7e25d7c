import Synchronization

/// Wakes those who wait for something to have changed. A waiter takes a ticket before it looks, so
/// that a change between looking and waiting is not lost.
///
/// It owns the continuations of those who wait, each of which is resumed once: by `notify` or by
/// the end of its task. It may be called on any thread. Continuations are resumed outside of the
/// lock, since those that wake may take it again.
final class ChangeNotifier: Sendable {
  private struct State {
    var count = 0
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  var ticket: Int { state.withLock { $0.count } }

  func notify() {
    let waiters = state.withLock { state in
      state.count += 1
      defer { state.waiters = [:] }
      return state.waiters.values.map(\.self)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when something has changed since that ticket, or when the task is cancelled.
  func wait(after ticket: Int) async {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          // The handler below may have run before there was a continuation; then the task is known
          // to be cancelled here.
          if Task.isCancelled || state.count > ticket { return true }
          state.waiters[id] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
  }
}
