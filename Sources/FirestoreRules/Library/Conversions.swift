extension Builtin {
  static let conversions: [Builtin] = [
    Builtin("string", 1) { .string(try text($0[0])) },
    Builtin("int", 1) { .int(try int($0[0])) },
    Builtin("float", 1) { .float(try float($0[0])) },
    Builtin("bool", 1) { .bool(try bool($0[0])) },
  ]

  /// What `string()` makes of a value.
  static func text(_ value: RuleValue) throws -> String {
    switch value {
    case .string(let value): value
    case .int(let value): String(value)
    case .float(let value): String(value)
    case .bool(let value): String(value)
    case .null: "null"
    case .path(let segments): segments.map { "/" + $0 }.joined()
    default: throw EvaluationError("\(value.type.rawValue) cannot be made a string")
    }
  }

  private static func int(_ value: RuleValue) throws -> Int64 {
    let result: Int64? =
      switch value {
      case .int(let value): value
      case .float(let value): Int64(exactly: value.rounded(.towardZero))
      case .string(let value): Int64(value)
      default: nil
      }
    guard let result else { throw EvaluationError("this \(value.type.rawValue) is not an int") }
    return result
  }

  private static func float(_ value: RuleValue) throws -> Double {
    if case .string(let text) = value {
      guard let number = Double(text) else { throw EvaluationError("this string is not a float") }
      return number
    }
    return try value.number()
  }

  private static func bool(_ value: RuleValue) throws -> Bool {
    switch value {
    case .bool(let value): return value
    case .string("true"): return true
    case .string("false"): return false
    default: throw EvaluationError("this \(value.type.rawValue) is not a bool")
    }
  }
}
