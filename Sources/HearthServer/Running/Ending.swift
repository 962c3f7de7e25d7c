import Synchronization

/// What happens once, when the server ends: an export. It owns the decision whether there is anything
/// to export; signals and requests may end the server on any thread.
final class Ending: Sendable {
  private enum State {
    /// Nothing was served yet, and what was imported may be half there.
    case starting
    case serving
    case finished
  }

  private let state = Mutex(State.starting)

  func begin() { state.withLock { $0 = .serving } }

  /// Runs the body the first time, unless nothing was served; others wait until it is done.
  func finish(_ body: () throws -> Void) throws {
    try state.withLock { state in
      defer { state = .finished }
      if state == .serving { try body() }
    }
  }
}
