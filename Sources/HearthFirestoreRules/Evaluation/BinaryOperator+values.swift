extension BinaryOperator {
  func apply(_ left: RuleValue, right: RuleValue, budget: RuleBudget) throws -> RuleValue {
    switch self {
    case .equal: return .bool(try left.equals(right, budget: budget))
    case .notEqual: return .bool(try !left.equals(right, budget: budget))
    case .comparison(let comparison):
      try budget.spend(min(left.surfaceSize, right.surfaceSize) / 32)
      guard let order = try left.order(against: right) else { return .bool(false) }
      return .bool(comparison.holds(for: order))
    case .membership: return .bool(try right.contains(left, budget: budget))
    case .add:
      let sum = try left.plus(right)
      try budget.spend(making: sum)
      return sum
    case .subtract: return try left.minus(right)
    case .multiply:
      return try left.arithmetic(right, ints: { try $0.multiplied(by: $1) }, floats: *)
    case .divide:
      return try left.arithmetic(
        right, ints: { try Self.quotient($0.dividedReportingOverflow(by: $1), by: $1) }, floats: /)
    case .remainder:
      return try left.arithmetic(
        right, ints: { try Self.quotient($0.remainderReportingOverflow(dividingBy: $1), by: $1) },
        floats: { $0.truncatingRemainder(dividingBy: $1) })
    }
  }

  /// The least int by -1 is itself, as in the official emulator.
  private static func quotient(
    _ result: (partialValue: Int64, overflow: Bool), by divisor: Int64
  ) throws -> Int64 {
    if divisor == 0 { throw EvaluationError("division by zero") }
    return result.partialValue
  }
}

enum Order {
  case before, same, after
}

extension RuleValue {
  /// Nil if one is not a number (NaN). Only numbers, strings, bytes, timestamps and durations have
  /// an order, each among themselves. Strings are ordered by UTF-16, and an int beside a float
  /// counts as the float that it rounds to.
  func order(against other: RuleValue) throws -> Order? {
    switch (self, other) {
    case (.int(let a), .int(let b)): return Self.order(a, right: b, precedes: <)
    case (.int, .float), (.float, .int), (.float, .float):
      let (a, b) = (try number(), try other.number())
      return a.isNaN || b.isNaN ? nil : Self.order(a, right: b, precedes: <)
    case (.string(let a), .string(let b)):
      return a.withBytes(and: b, Self.utf16Order)
    case (.bytes(let a), .bytes(let b)):
      return Self.order(a, right: b) { $0.lexicographicallyPrecedes($1) }
    case (.timestamp, .timestamp):
      return Self.order(try timestamp(), right: try other.timestamp(), precedes: <)
    case (.duration, .duration):
      return Self.order(try duration(), right: try other.duration(), precedes: <)
    default:
      throw EvaluationError("\(type.rawValue) and \(other.type.rawValue) have no order")
    }
  }

  /// The order of the UTF-16 of two texts in UTF-8. It is that of the bytes, but for characters of
  /// four bytes: they are surrogates, which come before U+E000.
  private static func utf16Order(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Order {
    let shared = min(left.count, right.count)
    guard let place = (0..<shared).first(where: { left[$0] != right[$0] }) else {
      return order(left.count, right: right.count, precedes: <)
    }
    let (a, b) = (left[place], right[place])
    let isByteOrder = (a >= 0xF0) == (b >= 0xF0) || min(a, b) < 0xEE
    return (a < b) == isByteOrder ? .before : .after
  }

  private static func order<Value>(
    _ left: Value, right: Value, precedes: (Value, Value) -> Bool
  ) -> Order {
    if precedes(left, right) { return .before }
    return precedes(right, left) ? .after : .same
  }

  fileprivate func plus(_ other: RuleValue) throws -> RuleValue {
    switch (self, other) {
    case (.string(let a), .string(let b)): .string(a + b)
    case (.timestamp, .duration): try (timestamp() + other.duration()).timestamp
    case (.duration, .timestamp): try (duration() + other.timestamp()).timestamp
    case (.duration, .duration): try (duration() + other.duration()).duration
    default: try arithmetic(other, ints: { try $0.adding($1) }, floats: +)
    }
  }

  fileprivate func minus(_ other: RuleValue) throws -> RuleValue {
    switch (self, other) {
    case (.timestamp, .duration): try (timestamp() - other.duration()).timestamp
    case (.timestamp, .timestamp): try (timestamp() - other.timestamp()).duration
    case (.duration, .duration): try (duration() - other.duration()).duration
    default: try arithmetic(other, ints: { try $0.subtracting($1) }, floats: -)
    }
  }

  func negated() throws -> RuleValue {
    switch self {
    case .float(let value): .float(-value)
    case .duration: try (TimeSpan(0, times: 1) - duration()).duration
    default: .int(try Int64(0).subtracting(try int()))
    }
  }

  fileprivate func arithmetic(
    _ other: RuleValue, ints: (Int64, Int64) throws -> Int64,
    floats: (Double, Double) throws -> Double
  ) throws -> RuleValue {
    if case .int(let left) = self, case .int(let right) = other {
      return .int(try ints(left, right))
    }
    return .float(try floats(try number(), try other.number()))
  }
}
