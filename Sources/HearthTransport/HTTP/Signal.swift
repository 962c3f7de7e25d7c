import Synchronization

/// Something that happens once, and what to do then.
///
/// It owns one action, the one that was set last, and may be used on any thread. The action runs
/// outside of the lock, on the caller's thread. Where the event is reported twice, an
/// action that was set in between runs twice.
package final class Signal: Sendable {
  private struct State {
    var hasCome = false
    var act: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// What to do then; at once where it has come already. Nil takes the action back, though it may
  /// be running at that moment on another thread.
  package func whenItComes(_ act: (@Sendable () -> Void)?) {
    let hasCome = state.withLock { state in
      state.act = act
      return state.hasCome
    }
    if hasCome { act?() }
  }

  package func come() {
    let act = state.withLock { state in
      state.hasCome = true
      defer { state.act = nil }
      return state.act
    }
    act?()
  }
}
