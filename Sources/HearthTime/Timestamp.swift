/// A point in time: milliseconds since the Unix epoch.
package struct Timestamp: Sendable, Hashable, Comparable {
  package var milliseconds: Int64

  /// The last moment of the year 9999: timestamps on the wire tell no later one.
  package static let latest = Timestamp(milliseconds: 253_402_300_799_999)

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
    Self.text(seconds: seconds, fraction: milliseconds &- seconds &* 1000, digits: 3)
  }

  /// With as many groups of three decimals as it takes.
  package static func text(seconds: Int64, nanoseconds: Int64) -> String {
    switch nanoseconds {
    case 0: text(seconds: seconds, fraction: 0, digits: 0)
    case _ where nanoseconds % 1_000_000 == 0:
      text(seconds: seconds, fraction: nanoseconds / 1_000_000, digits: 3)
    case _ where nanoseconds % 1000 == 0:
      text(seconds: seconds, fraction: nanoseconds / 1000, digits: 6)
    default: text(seconds: seconds, fraction: nanoseconds, digits: 9)
    }
  }

  private static func text(seconds: Int64, fraction: Int64, digits: Int) -> String {
    let time = CalendarTime(seconds: seconds)
    // A year may have twelve digits and a sign; all the rest takes 26 bytes.
    return String(unsafeUninitializedCapacity: 40) { text in
      var end = 0
      func write(_ value: Int, width: Int, then mark: Unicode.Scalar) {
        var rest = value.magnitude
        for place in (end..<end + width).reversed() {
          text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        text[end + width] = UInt8(ascii: mark)
        end += width + 1
      }
      if 0..<10_000 ~= time.year {
        write(time.year, width: 4, then: "-")
      } else {
        for byte in "\(time.year)-".utf8 {
          text[end] = byte
          end += 1
        }
      }
      write(time.month, width: 2, then: "-")
      write(time.day, width: 2, then: "T")
      write(time.hour, width: 2, then: ":")
      write(time.minute, width: 2, then: ":")
      write(time.second, width: 2, then: digits == 0 ? "Z" : ".")
      if digits > 0 { write(Int(fraction), width: digits, then: "Z") }
      return end
    }
  }

  /// Reads `2027-01-31T09:30:00Z`, with a fraction and an offset where there are any.
  package init?(iso8601 text: String) {
    var text = text
    guard let parts = text.withUTF8({ Self.parts(iso8601: $0) }) else { return nil }
    self.init(milliseconds: parts.seconds * 1000 + parts.nanoseconds / 1_000_000)
  }

  package static func parts(
    iso8601 bytes: UnsafeBufferPointer<UInt8>
  ) -> (seconds: Int64, nanoseconds: Int64)? {
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      return value
    }
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), let year = number(0..<4), let month = number(5..<7),
      let day = number(8..<10), let hour = number(11..<13), let minute = number(14..<16),
      let second = number(17..<19), (1...12).contains(month), (1...31).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    var index = 19
    var nanoseconds: Int64 = 0
    if bytes[index] == UInt8(ascii: ".") {
      var unit: Int64 = 100_000_000
      index += 1
      while index < bytes.count, let digit = number(index..<index + 1) {
        nanoseconds += digit * unit
        unit /= 10
        index += 1
      }
    }
    guard index < bytes.count else { return nil }
    var offset: Int64 = 0
    switch bytes[index] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      guard index + 1 == bytes.count else { return nil }
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard index + 6 == bytes.count, let hours = number(index + 1..<index + 3),
        let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * 60 * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
    default: return nil
    }
    let date = CivilDate(year: year, month: month, day: day)
    let days = date.daysSince1970
    // The 30th of February would be a day of March.
    guard CivilDate(daysSince1970: days) == date else { return nil }
    return (((days * 24 + hour) * 60 + minute) * 60 + second - offset, nanoseconds)
  }
}

/// A time as a calendar and a clock show it, in UTC.
package struct CalendarTime: Sendable, Equatable {
  package let year: Int
  /// From 1.
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  /// Days since Sunday.
  package let weekday: Int

  package init(_ time: Timestamp) { self.init(seconds: time.seconds) }

  fileprivate init(seconds: Int64) {
    let secondOfDay = Int((seconds % 86_400 + 86_400) % 86_400)
    let days = Int((seconds - Int64(secondOfDay)) / 86_400)
    let date = CivilDate(daysSince1970: Int64(days))
    (year, month, day) = (Int(date.year), Int(date.month), Int(date.day))
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
    // 1970-01-01 was a Thursday.
    weekday = ((days + 4) % 7 + 7) % 7
  }
}
