/// Arithmetic on seconds and nanoseconds, for timestamps and durations alike.
struct TimeSpan {
  static let nanosPerSecond: Int64 = 1_000_000_000

  /// Rounded towards the past.
  let seconds: Int64
  /// 0 ..< 1 000 000 000.
  let nanos: Int64

  /// Any nanos, also negative ones.
  init(seconds: Int64, nanos: Int64) throws {
    var carry = nanos / Self.nanosPerSecond
    var rest = nanos % Self.nanosPerSecond
    if rest < 0 {
      carry -= 1
      rest += Self.nanosPerSecond
    }
    self.seconds = try seconds.adding(carry)
    self.nanos = rest
  }

  /// A number of units that are each a whole number of seconds.
  init(_ count: Int64, times seconds: Int64) throws {
    try self.init(seconds: try count.multiplied(by: seconds), nanos: 0)
  }

  /// A number of units of which many make a second.
  init(_ count: Int64, perSecond units: Int64) throws {
    try self.init(
      seconds: count / units, nanos: count % units * (Self.nanosPerSecond / units))
  }

  static func + (left: TimeSpan, right: TimeSpan) throws -> TimeSpan {
    try TimeSpan(
      seconds: try left.seconds.adding(right.seconds), nanos: left.nanos + right.nanos)
  }

  static func - (left: TimeSpan, right: TimeSpan) throws -> TimeSpan {
    try TimeSpan(
      seconds: try left.seconds.subtracting(right.seconds), nanos: left.nanos - right.nanos)
  }

  static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    (left.seconds, left.nanos) < (right.seconds, right.nanos)
  }

  /// From the year 1 to the year 9999, as in protocol buffers.
  var timestamp: RuleValue {
    get throws {
      guard -62_135_596_800...253_402_300_799 ~= seconds else {
        throw EvaluationError("a timestamp is between the years 1 and 9999")
      }
      return .timestamp(seconds: seconds, nanos: Int32(nanos))
    }
  }

  /// Up to 10 000 years, as in protocol buffers.
  var duration: RuleValue {
    get throws {
      let isNegative = seconds < 0 && nanos > 0
      let whole = isNegative ? seconds + 1 : seconds
      guard -315_576_000_000...315_576_000_000 ~= whole else {
        throw EvaluationError("a duration is at most 10000 years")
      }
      return .duration(
        seconds: whole, nanos: Int32(isNegative ? nanos - Self.nanosPerSecond : nanos))
    }
  }
}

extension RuleValue {
  func duration() throws -> TimeSpan {
    guard case .duration(let seconds, let nanos) = self else {
      throw EvaluationError("duration is expected, found \(type.rawValue)")
    }
    return try TimeSpan(seconds: seconds, nanos: Int64(nanos))
  }

  func timestamp() throws -> TimeSpan {
    guard case .timestamp(let seconds, let nanos) = self else {
      throw EvaluationError("timestamp is expected, found \(type.rawValue)")
    }
    return try TimeSpan(seconds: seconds, nanos: Int64(nanos))
  }
}

extension Int64 {
  func adding(_ other: Int64) throws -> Int64 { try checked(addingReportingOverflow(other)) }
  func subtracting(_ other: Int64) throws -> Int64 {
    try checked(subtractingReportingOverflow(other))
  }
  func multiplied(by other: Int64) throws -> Int64 {
    try checked(multipliedReportingOverflow(by: other))
  }

  private func checked(_ result: (partialValue: Int64, overflow: Bool)) throws -> Int64 {
    if result.overflow { throw EvaluationError("integer overflow") }
    return result.partialValue
  }
}
