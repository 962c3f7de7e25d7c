/// Reading an argument as one type; another type is an evaluation error.
extension RuleValue {
  func string() throws -> String {
    guard case .string(let value) = self else { throw wrongType(.string) }
    return value
  }

  func bool() throws -> Bool {
    guard case .bool(let value) = self else { throw wrongType(.bool) }
    return value
  }

  func int() throws -> Int64 {
    guard case .int(let value) = self else { throw wrongType(.int) }
    return value
  }

  /// An int or a float, as a float.
  func number() throws -> Double {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): value
    default: throw EvaluationError("a number is expected, found \(type.rawValue)")
    }
  }

  func bytes() throws -> [UInt8] {
    guard case .bytes(let value) = self else { throw wrongType(.bytes) }
    return value
  }

  func list() throws -> [RuleValue] {
    guard case .list(let value) = self else { throw wrongType(.list) }
    return value
  }

  /// A list or a set, as a set.
  func elements() throws -> Set<RuleValue> {
    switch self {
    case .list(let elements): Set(elements)
    case .set(let elements): elements
    default: throw EvaluationError("a list or set is expected, found \(type.rawValue)")
    }
  }

  func set() throws -> Set<RuleValue> {
    guard case .set(let value) = self else { throw wrongType(.set) }
    return value
  }

  func map() throws -> [String: RuleValue] {
    guard case .map(let value) = self else { throw wrongType(.map) }
    return value
  }

  func path() throws -> [String] {
    guard case .path(let value) = self else { throw wrongType(.path) }
    return value
  }

  private func wrongType(_ expected: RuleType) -> EvaluationError {
    EvaluationError("\(expected.rawValue) is expected, found \(type.rawValue)")
  }
}

extension Builtin {
  /// The argument as an int that Swift's collections take.
  static func index(_ value: RuleValue) throws -> Int {
    guard let index = Int(exactly: try value.int()) else {
      throw EvaluationError("index out of range")
    }
    return index
  }
}
