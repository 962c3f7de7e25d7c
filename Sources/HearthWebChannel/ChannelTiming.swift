/// The clock of a server's channels and what is measured by it.
struct ChannelTiming: Sendable {
  /// How long a GET stays silent. The client gives up on one after half as much again.
  var keepAlive: Duration
  /// How long a session outlives its client's last sign of life.
  var expiry: Duration
  var clock: any Clock<Duration>

  var keepAliveMilliseconds: Int {
    let parts = keepAlive.components
    return Int(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
  }

  /// Does something later, unless the task is cancelled before.
  func after(_ duration: Duration, act: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task {
      guard (try? await clock.sleep(for: duration)) != nil, !Task.isCancelled else { return }
      act()
    }
  }
}
