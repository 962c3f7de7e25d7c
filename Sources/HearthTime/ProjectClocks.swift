import Synchronization

/// The time of each project: the machine's, until somebody moves it. It owns what was set, and may be
/// called on any thread.
package final class ProjectClocks: Sendable {
  /// How a project's clock differs from the machine's.
  package struct Setting: Sendable, Equatable {
    /// Milliseconds ahead of the machine's clock.
    package var offset: Int64 = 0
    /// The time at which the clock is frozen; nil when it runs.
    package var stopped: Timestamp?

    package init() {}

    fileprivate func time(_ real: Timestamp) -> Timestamp {
      min(stopped ?? real + .milliseconds(offset), .latest)
    }
  }

  private let base: any HearthClock
  private let settings = Mutex<[String: Setting]>([:])
  private let observers = Mutex<[@Sendable (String) -> Void]>([])

  package init(_ base: any HearthClock) { self.base = base }

  package func now(of project: String) -> Timestamp {
    let real = base.now
    return settings.withLock { $0[project] }?.time(real) ?? real
  }

  /// As finely as the machine's clock knows it.
  package func microseconds(of project: String) -> Int64 {
    let real = base.microseconds
    guard let setting = settings.withLock({ $0[project] }) else { return real }
    let moved = setting.stopped.map { $0.milliseconds &* 1000 } ?? real &+ setting.offset &* 1000
    return min(moved, Timestamp.latest.milliseconds * 1000)
  }

  /// The machine's clock, wherever projects have been moved to.
  package var machine: any HearthClock { base }

  /// The machine's time, wherever projects have been moved to.
  package var machineMicroseconds: Int64 { base.microseconds }

  package func setting(of project: String) -> Setting {
    settings.withLock { $0[project] ?? Setting() }
  }

  package func restore(_ setting: Setting, of project: String) {
    settings.withLock { $0[project] = setting }
    notifyObservers(of: project)
  }

  /// Has the body called with the project whose clock has been moved, stopped or started.
  package func observe(_ body: @escaping @Sendable (String) -> Void) {
    observers.withLock { $0.append(body) }
  }

  private func notifyObservers(of project: String) {
    for observer in observers.withLock({ $0 }) { observer(project) }
  }

  /// Moves the clock, also a frozen one.
  package func advance(_ project: String, by duration: Duration) {
    settings.withLock { settings in
      var setting = settings[project] ?? Setting()
      setting.stopped = setting.stopped.map { $0 + duration }
      setting.offset = (Timestamp(milliseconds: setting.offset) + duration).milliseconds
      settings[project] = setting
    }
    notifyObservers(of: project)
  }

  /// Sets the clock, which goes on from there if it runs.
  package func set(_ project: String, to time: Timestamp) {
    let real = base.now
    settings.withLock { settings in
      var setting = settings[project] ?? Setting()
      setting.offset = time.milliseconds &- real.milliseconds
      if setting.stopped != nil { setting.stopped = time }
      settings[project] = setting
    }
    notifyObservers(of: project)
  }

  package func setStopped(_ project: String, isStopped: Bool) {
    settings.withLock { settings in
      var setting = settings[project] ?? Setting()
      // Read once, or what passes in between is lost.
      let real = base.now
      let now = setting.time(real)
      setting.offset = now.milliseconds &- real.milliseconds
      setting.stopped = isStopped ? now : nil
      settings[project] = setting
    }
    notifyObservers(of: project)
  }

  /// Back to the machine's time.
  package func reset(_ project: String) {
    settings.withLock { $0[project] = nil }
    notifyObservers(of: project)
  }
}
