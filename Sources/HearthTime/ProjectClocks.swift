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
  }

  private let base: any HearthClock
  private let settings = Mutex<[String: Setting]>([:])
  private let observers = Mutex<[@Sendable (String) -> Void]>([])

  package init(_ base: any HearthClock) { self.base = base }

  package func now(of project: String) -> Timestamp {
    let real = base.now
    guard let setting = settings.withLock({ $0[project] }) else { return real }
    return min(setting.stopped ?? real + .milliseconds(setting.offset), .latest)
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
    tell(project)
  }

  /// Has the body called with the project whose clock has been moved, stopped or started.
  package func observe(_ body: @escaping @Sendable (String) -> Void) {
    observers.withLock { $0.append(body) }
  }

  private func tell(_ project: String) {
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
    tell(project)
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
    tell(project)
  }

  package func setStopped(_ project: String, _ isStopped: Bool) {
    let now = now(of: project)
    let real = base.now
    settings.withLock { settings in
      var setting = settings[project] ?? Setting()
      setting.offset = now.milliseconds &- real.milliseconds
      setting.stopped = isStopped ? now : nil
      settings[project] = setting
    }
    tell(project)
  }

  /// Back to the machine's time.
  package func reset(_ project: String) {
    settings.withLock { $0[project] = nil }
    tell(project)
  }
}

/// Durations as ISO 8601 writes them: `PT2H`, `P1DT30M`, `-PT10S`.
package enum ISODuration {
  /// Nil for what is not a duration, or one of months and years, whose length differs.
  package static func parse(_ text: String) -> Duration? {
    var rest = text[...]
    let isNegative = rest.hasPrefix("-")
    if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
    guard rest.hasPrefix("P"), rest.count > 2 else { return nil }
    rest = rest.dropFirst()
    var milliseconds = 0.0
    var isTime = false
    var number = ""
    // Each unit once, and in this order.
    var units = [("W", false), ("D", false), ("H", true), ("M", true), ("S", true)][...]
    for character in rest {
      switch character {
      case "T" where number.isEmpty && !isTime: isTime = true
      case "0"..."9": number.append(character)
      case "." where !number.isEmpty && !number.contains("."): number.append(character)
      default:
        guard let found = units.firstIndex(where: { $0 == (String(character), isTime) }),
          let value = Double(number), !number.hasSuffix(".")
        else { return nil }
        milliseconds += value * length(of: units[found].0)
        units = units[(found + 1)...]
        number = ""
      }
    }
    guard number.isEmpty, rest.last != "T", milliseconds <= Double(longest) else { return nil }
    return .milliseconds(Int64(isNegative ? -milliseconds : milliseconds))
  }

  /// Ten thousand years.
  static let longest: Int64 = 10_000 * 36525 * 864_000

  private static func length(of unit: String) -> Double {
    switch unit {
    case "W": 7 * 86_400_000
    case "D": 86_400_000
    case "H": 3_600_000
    case "M": 60_000
    default: 1000
    }
  }

  package static func text(milliseconds: Int64) -> String {
    guard milliseconds != 0 else { return "PT0S" }
    let magnitude = milliseconds.magnitude
    let days = magnitude / 86_400_000
    let hours = magnitude / 3_600_000 % 24
    let minutes = magnitude / 60_000 % 60
    let seconds = Double(magnitude % 60_000) / 1000
    var text = milliseconds < 0 ? "-P" : "P"
    if days > 0 { text += "\(days)D" }
    if hours > 0 || minutes > 0 || seconds > 0 { text += "T" }
    if hours > 0 { text += "\(hours)H" }
    if minutes > 0 { text += "\(minutes)M" }
    if seconds > 0 {
      text += seconds == seconds.rounded() ? "\(Int(seconds))S" : "\(seconds)S"
    }
    return text
  }
}
