import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where time comes from. Everything that expires follows it.
package protocol HearthClock: Sendable {
  var now: Timestamp { get }

  /// The same since 1970, as finely as the clock knows it.
  var microseconds: Int64 { get }

  /// Returns when the clock has reached that time, or when the task is cancelled.
  func wait(until deadline: Timestamp) async
}

extension HearthClock {
  package var microseconds: Int64 { now.milliseconds &* 1000 }
}

/// The machine's own clock.
package struct SystemClock: HearthClock {
  package init() {}

  package var now: Timestamp {
    Timestamp(milliseconds: microseconds / 1000)
  }

  package var microseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  package func wait(until deadline: Timestamp) async {
    let remaining = deadline.milliseconds - now.milliseconds
    if remaining > 0 { try? await Task.sleep(for: .milliseconds(remaining)) }
  }
}

/// A clock that stands still until a test moves it.
package final class ManualClock: HearthClock {
  private struct State {
    var now: Timestamp
    var nextWaiter = 0
    var waiters: [Int: (deadline: Timestamp, continuation: CheckedContinuation<Void, Never>)] = [:]
  }

  private let state: Mutex<State>

  package init(_ start: Timestamp = Timestamp(seconds: 1_800_000_000)) {
    state = Mutex(State(now: start))
  }

  package var now: Timestamp { state.withLock { $0.now } }

  /// Whether somebody waits for a time.
  package var hasWaiters: Bool { state.withLock { !$0.waiters.isEmpty } }

  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now + duration
      let due = state.waiters.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.waiters[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  package func wait(until deadline: Timestamp) async {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if Task.isCancelled || deadline <= state.now { return true }
          state.waiters[id] = (deadline, continuation)
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}
