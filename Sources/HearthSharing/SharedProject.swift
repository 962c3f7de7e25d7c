package import HearthTime
import Synchronization

/// A project that the operator of a shared server has opened, until its end.
///
/// A class, because streams outlive the calls that begin them, and wait here for the project's end.
package final class SharedProject: Sendable {
  package let id: String
  package let hash: TokenHash
  package let openedAt: Timestamp
  package let expires: Timestamp
  /// Bytes; nil for no bound.
  package let quota: Int64?

  private struct State {
    var isOver = false
    /// Whether somebody clears it.
    var isClosing = false
    var next = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init(
    id: String, hash: TokenHash, openedAt: Timestamp, expires: Timestamp, quota: Int64?
  ) {
    self.id = id
    self.hash = hash
    self.openedAt = openedAt
    self.expires = expires
    self.quota = quota
  }

  /// Whether calls are refused, since it was closed or its time is over.
  package func isOver(at now: Timestamp) -> Bool {
    now >= expires || state.withLock(\.isOver)
  }

  /// Has the action called once, at the end of the project or at once where it is over; on any
  /// thread. What is returned takes it back.
  package func atEnd(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let id = state.withLock { state -> Int? in
      guard !state.isOver else { return nil }
      state.next += 1
      state.actions[state.next] = action
      return state.next
    }
    guard let id else {
      action()
      return {}
    }
    return { [self] in _ = state.withLock { $0.actions.removeValue(forKey: id) } }
  }

  /// Returns at the end of the project, or when the task is cancelled.
  package func waitUntilOver() async {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let forget = atEnd { end.finish() }
    for await _ in ends {}
    forget()
  }

  /// Refuses calls from now on, and ends streams. For the first caller it returns true: that one
  /// clears the project.
  package func end() -> Bool {
    let (isFirst, actions) = state.withLock { state in
      defer {
        state.isOver = true
        state.isClosing = true
        state.actions = [:]
      }
      return (!state.isClosing, Array(state.actions.values))
    }
    for action in actions { action() }
    return isFirst
  }
}
