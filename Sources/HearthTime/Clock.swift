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
