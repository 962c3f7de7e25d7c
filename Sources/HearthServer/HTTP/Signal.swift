import Synchronization

/// Something that happens once, and what to do then.
final class Signal: Sendable {
  private struct State {
    var hasCome = false
    var act: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// What to do then; at once where it has come already.
  func whenItComes(_ act: (@Sendable () -> Void)?) {
    let hasCome = state.withLock { state in
      state.act = act
      return state.hasCome
    }
    if hasCome { act?() }
  }

  func come() {
    let act = state.withLock { state in
      state.hasCome = true
      defer { state.act = nil }
      return state.act
    }
    act?()
  }
}
