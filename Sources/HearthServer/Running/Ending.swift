import Synchronization

/// What happens once, when the server ends: an export.
///
/// It owns the decision whether there is anything to export. Signals and requests may end the
/// server on any thread, at the same time.
final class Ending: Sendable {
  private enum State {
    /// Nothing was served yet, and what was imported may be half there.
    case starting
    case serving
    case finished
  }

  private let state = Mutex(State.starting)

  /// From here on there is something to export.
  func begin() { state.withLock { $0 = .serving } }

  /// Runs the body the first time, unless nothing was served; others wait until it is done.
  ///
  /// The body runs under the lock: who comes second must not let the process end before the export
  /// is written.
  func finish(_ body: () throws -> Void) throws {
    try state.withLock { state in
      // After a failure, too. A second try would meet the same disk.
      defer { state = .finished }
      if state == .serving { try body() }
    }
  }
}
