/// A point in time: milliseconds since the Unix epoch.
package struct Timestamp: Sendable, Hashable, Comparable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package init(seconds: Int64) { milliseconds = seconds.multipliedReportingOverflow(by: 1000).0 }

  /// Whole seconds, rounded down: a `validSince` that is rounded up would revoke the very token
  /// that is issued with it.
  package var seconds: Int64 {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds + 1) / 1000 - 1
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  package static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(
      milliseconds: time.milliseconds &+ seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000)
  }

  /// `2026-08-21T09:30:00.250Z`.
  package var iso8601: String {
    let day = Int((seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400)
    let (year, month, dayOfMonth) = Self.civil(fromDays: day)
    let second = Int(seconds - Int64(day) * 86_400)
    let fraction = Int(milliseconds &- seconds &* 1000)
    func digits(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(dayOfMonth, 2) + "T"
      + digits(second / 3600, 2) + ":" + digits(second / 60 % 60, 2) + ":"
      + digits(second % 60, 2) + "." + digits(fraction, 3) + "Z"
  }

  /// The proleptic Gregorian date of a day counted from 1970-01-01.
  private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
