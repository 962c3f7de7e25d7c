extension BinaryOperator {
  func apply(_ left: RuleValue, _ right: RuleValue) throws -> RuleValue {
    switch self {
    case .equal: return .bool(left == right)
    case .notEqual: return .bool(left != right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let order = try left.order(against: right) else { return .bool(false) }
      return .bool(holds(for: order))
    case .membership: return .bool(try right.contains(left))
    case .add: return try left.plus(right)
    case .subtract: return try left.minus(right)
    case .multiply: return try left.arithmetic(right, { try $0.multiplied(by: $1) }, *)
    case .divide:
      return try left.arithmetic(
        right, { try Self.checkedDivision($0.dividedReportingOverflow(by: $1)) },
        {
          guard $1 != 0 else { throw EvaluationError("division by zero") }
          return $0 / $1
        })
    case .remainder:
      guard case .int(let dividend) = left, case .int(let divisor) = right else {
        throw EvaluationError("'%' takes ints")
      }
      return .int(
        try Self.checkedDivision(dividend.remainderReportingOverflow(dividingBy: divisor)))
    }
  }

  /// Whether a comparison is true of two values in this order.
  func holds(for order: Order) -> Bool {
    switch self {
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    case .greaterOrEqual: order != .before
    default: preconditionFailure("'\(rawValue)' does not compare")
    }
  }

  private static func checkedDivision(
    _ result: (partialValue: Int64, overflow: Bool)
  ) throws -> Int64 {
    if result.overflow { throw EvaluationError("division by zero or integer overflow") }
    return result.partialValue
  }
}

enum Order {
  case before, same, after
}

extension RuleValue {
  /// Nil if one is not a number (NaN). Only numbers, strings, timestamps and durations have an
  /// order, each among themselves.
  func order(against other: RuleValue) throws -> Order? {
    switch (self, other) {
    case (.int(let a), .int(let b)): return Self.order(a, b, <)
    case (.int, .float), (.float, .int), (.float, .float):
      if self == other { return .same }
      let (a, b) = (try number(), try other.number())
      if a.isNaN || b.isNaN { return nil }
      // An int that rounds to the float beside it: of the two, the float's exact value tells.
      if a == b { return try exactOrder(against: other) }
      return a < b ? .before : .after
    case (.string(let a), .string(let b)):
      return Self.order(a, b) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    case (.timestamp, .timestamp): return Self.order(try timestamp(), try other.timestamp(), <)
    case (.duration, .duration): return Self.order(try duration(), try other.duration(), <)
    default:
      throw EvaluationError("\(type.rawValue) and \(other.type.rawValue) have no order")
    }
  }

  private static func order<Value>(
    _ left: Value, _ right: Value, _ precedes: (Value, Value) -> Bool
  ) -> Order {
    if precedes(left, right) { return .before }
    return precedes(right, left) ? .after : .same
  }

  private func exactOrder(against other: RuleValue) throws -> Order {
    switch (self, other) {
    case (.int(let int), .float(let float)):
      Int64(exactly: float).map { int < $0 ? .before : .after } ?? .before
    case (.float(let float), .int(let int)):
      Int64(exactly: float).map { $0 < int ? .before : .after } ?? .after
    default: .same
    }
  }

  fileprivate func contains(_ value: RuleValue) throws -> Bool {
    switch self {
    case .list(let elements): elements.contains(value)
    case .set(let elements): elements.contains(value)
    case .map(let fields): fields[try value.string()] != nil
    default: throw EvaluationError("'in' takes a list, set or map, found \(type.rawValue)")
    }
  }

  fileprivate func plus(_ other: RuleValue) throws -> RuleValue {
    switch (self, other) {
    case (.string(let a), .string(let b)): .string(a + b)
    case (.timestamp, .duration): try (timestamp() + other.duration()).timestamp
    case (.duration, .timestamp): try (duration() + other.timestamp()).timestamp
    case (.duration, .duration): try (duration() + other.duration()).duration
    default: try arithmetic(other, { try $0.adding($1) }, +)
    }
  }

  fileprivate func minus(_ other: RuleValue) throws -> RuleValue {
    switch (self, other) {
    case (.timestamp, .duration): try (timestamp() - other.duration()).timestamp
    case (.timestamp, .timestamp): try (timestamp() - other.timestamp()).duration
    case (.duration, .duration): try (duration() - other.duration()).duration
    default: try arithmetic(other, { try $0.subtracting($1) }, -)
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
    _ other: RuleValue, _ ints: (Int64, Int64) throws -> Int64,
    _ floats: (Double, Double) throws -> Double
  ) throws -> RuleValue {
    if case .int(let left) = self, case .int(let right) = other {
      return .int(try ints(left, right))
    }
    return .float(try floats(try number(), try other.number()))
  }
}
