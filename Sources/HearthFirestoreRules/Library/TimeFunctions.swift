import HearthTime

extension Builtin {
  static let timestampFunctions: [Builtin] = [
    Builtin("timestamp.value", arity: 1) {
      try TimeSpan(try $0[0].int(), perSecond: 1000).timestamp
    },
    Builtin("timestamp.date", arity: 3) {
      let (year, month, day) = (try $0[0].int(), try $0[1].int(), try $0[2].int())
      let date = CivilDate(year: year, month: month, day: day)
      guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
        CivilDate(daysSince1970: date.daysSince1970) == date
      else { throw EvaluationError("invalid date") }
      return try TimeSpan(date.daysSince1970, times: 86_400).timestamp
    },
  ]

  /// All in UTC.
  static let timestampMethods: [Builtin] = [
    Builtin("date", arity: 0) { try TimeSpan(try day(of: $0[0]), times: 86_400).timestamp },
    Builtin("time", arity: 0) {
      try TimeSpan(seconds: try secondOfDay($0[0]), nanos: try $0[0].timestamp().nanos).duration
    },
    Builtin("year", arity: 0) { .int(CivilDate(daysSince1970: try day(of: $0[0])).year) },
    Builtin("month", arity: 0) { .int(CivilDate(daysSince1970: try day(of: $0[0])).month) },
    Builtin("day", arity: 0) { .int(CivilDate(daysSince1970: try day(of: $0[0])).day) },
    Builtin("hours", arity: 0) { .int(try secondOfDay($0[0]) / 3600) },
    Builtin("minutes", arity: 0) { .int(try secondOfDay($0[0]) / 60 % 60) },
    Builtin("seconds", arity: 0) { .int(try secondOfDay($0[0]) % 60) },
    Builtin("nanos", arity: 0) { .int(try $0[0].timestamp().nanos) },
    // 1970 began on a Thursday; Monday is 1, Sunday is 7.
    Builtin("dayOfWeek", arity: 0) { .int(floorModulo(try day(of: $0[0]) + 3, modulus: 7) + 1) },
    Builtin("dayOfYear", arity: 0) {
      let days = try day(of: $0[0])
      let newYear = CivilDate(year: CivilDate(daysSince1970: days).year, month: 1, day: 1)
      return .int(days - newYear.daysSince1970 + 1)
    },
    Builtin("toMillis", arity: 0) {
      let time = try $0[0].timestamp()
      return .int(try time.seconds.multiplied(by: 1000).adding(time.nanos / 1_000_000))
    },
  ]

  static let durationFunctions: [Builtin] = [
    Builtin("duration.value", arity: 2) {
      try span(of: try $0[0].int(), unit: try $0[1].string()).duration
    },
    Builtin("duration.time", arity: 4) {
      let hours = try TimeSpan(try $0[0].int(), times: 3600)
      let minutes = try TimeSpan(try $0[1].int(), times: 60)
      let rest = try TimeSpan(seconds: try $0[2].int(), nanos: try $0[3].int())
      return try (hours + minutes + rest).duration
    },
    Builtin("duration.abs", arity: 1) {
      let span = try $0[0].duration()
      return try (span.seconds < 0 ? TimeSpan(0, times: 1) - span : span).duration
    },
  ]

  static let durationMethods: [Builtin] = [
    Builtin("seconds", arity: 0) { try part(of: $0[0]) { seconds, _ in seconds } },
    Builtin("nanos", arity: 0) { try part(of: $0[0]) { _, nanos in Int64(nanos) } },
  ]

  private static func part(
    of value: RuleValue, _ select: (Int64, Int32) -> Int64
  ) throws -> RuleValue {
    // Through the span, so that both parts have one sign however the value was made.
    guard case .duration(let seconds, let nanos) = try value.duration().duration else {
      preconditionFailure("a span's duration is a duration")
    }
    return .int(select(seconds, nanos))
  }

  private static func span(of count: Int64, unit: String) throws -> TimeSpan {
    switch unit {
    case "w": try TimeSpan(count, times: 604_800)
    case "d": try TimeSpan(count, times: 86_400)
    case "h": try TimeSpan(count, times: 3600)
    case "m": try TimeSpan(count, times: 60)
    case "s": try TimeSpan(count, times: 1)
    case "ms": try TimeSpan(count, perSecond: 1000)
    case "ns": try TimeSpan(count, perSecond: TimeSpan.nanosPerSecond)
    default: throw EvaluationError("'\(unit)' is not a unit; these are w, d, h, m, s, ms, ns")
    }
  }

  /// Counted from 1970-01-01.
  private static func day(of value: RuleValue) throws -> Int64 {
    let seconds = try value.timestamp().seconds
    return seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
  }

  private static func secondOfDay(_ value: RuleValue) throws -> Int64 {
    floorModulo(try value.timestamp().seconds, modulus: 86_400)
  }

  private static func floorModulo(_ value: Int64, modulus: Int64) -> Int64 {
    (value % modulus + modulus) % modulus
  }
}
