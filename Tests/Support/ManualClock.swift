package import HearthTime
import Synchronization

/// A clock that a test moves, for what waits for a time of day
/// (`HearthClock`) and for what waits for a span (`Clock`).
package final class ManualClock: HearthClock, Clock {
  private struct State {
    var now: Timestamp
    var nextSleeper = 0
    var sleepers: [Int: (deadline: Timestamp, continuation: CheckedContinuation<Void, Never>)] = [:]
  }

  private let state: Mutex<State>

  package init(_ start: Timestamp = Timestamp(seconds: 1_800_000_000)) {
    state = Mutex(State(now: start))
  }

  package var now: Timestamp { state.withLock { $0.now } }
  package var minimumResolution: Duration { .milliseconds(1) }

  /// Whether a task waits for a time.
  package var hasWaiters: Bool { state.withLock { !$0.sleepers.isEmpty } }

  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now + duration
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Advances as soon as tasks wait for exactly these spans, counted from now.
  package func advance(by duration: Duration, whenWaitingFor spans: [Duration]) async {
    while !Task.isCancelled, waits != spans.sorted() { await Task.yield() }
    advance(by: duration)
  }

  private var waits: [Duration] {
    state.withLock { state in
      state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted()
    }
  }

  package func sleep(until deadline: Timestamp, tolerance: Duration?) async throws {
    await wait(until: deadline)
    try Task.checkCancellation()
  }

  package func wait(until deadline: Timestamp) async {
    let id = state.withLock { state in
      state.nextSleeper += 1
      return state.nextSleeper
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if Task.isCancelled || deadline <= state.now { return true }
          state.sleepers[id] = (deadline, continuation)
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}

extension Timestamp: InstantProtocol {
  package func advanced(by duration: Duration) -> Timestamp { self + duration }

  package func duration(to other: Timestamp) -> Duration {
    .milliseconds(other.milliseconds - milliseconds)
  }
}
