extension Builtin {
  static let conversions: [Builtin] = [
    Builtin("string", arity: 1) { .string(try text($0[0])) },
    Builtin("int", arity: 1) { .int(try int($0[0])) },
    Builtin(metered: "float", arity: 1) { arguments, budget in
      // Many digits take their time.
      try budget.spend(arguments[0].surfaceSize)
      return .float(try float(arguments[0]))
    },
    Builtin("bool", arity: 1) { .bool(try bool($0[0])) },
  ]

  /// What `string()` makes of a value.
  static func text(_ value: RuleValue) throws -> String {
    switch value {
    case .string(let value): value
    case .int(let value): String(value)
    case .float(let value): text(value)
    case .bool(let value): String(value)
    case .null: "null"
    case .path(let segments): segments.map { "/" + $0 }.joined()
    default: throw EvaluationError("\(value.type.rawValue) cannot be made a string")
    }
  }

  /// As Java writes doubles: `1.5`, `1.0E7`, `1.0E-4`, `Infinity`.
  private static func text(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    let magnitude = value.magnitude
    if value == 0 || (1e-3..<1e7).contains(magnitude) { return plain("\(value)") }
    let (digits, exponent) = decimal(magnitude)
    let rest = digits.dropFirst()
    return (value < 0 ? "-" : "") + digits.prefix(1) + "." + (rest.isEmpty ? "0" : rest)
      + "E\(exponent)"
  }

  /// Swift has no exponent in this range either.
  private static func plain(_ text: String) -> String { text.contains(".") ? text : text + ".0" }

  /// The significant digits, and the power of ten of the first.
  private static func decimal(_ value: Double) -> (digits: String, exponent: Int) {
    let parts = "\(value)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = mantissa[0]
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
    let all = whole + fraction
    let zeros = all.prefix { $0 == "0" }.count
    var digits = String(all.dropFirst(zeros))
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    return (digits, power + whole.count - 1 - zeros)
  }

  private static func int(_ value: RuleValue) throws -> Int64 {
    switch value {
    case .int(let value): return value
    case .float(let value): return saturated(value)
    case .string(let text):
      guard let result = Int64(text) else { throw EvaluationError("this string is not an int") }
      return result
    default: throw EvaluationError("this \(value.type.rawValue) is not an int")
    }
  }

  /// Towards zero; what is too large becomes the nearest int, NaN becomes 0.
  static func saturated(_ value: Double) -> Int64 {
    if value.isNaN { return 0 }
    return Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
  }

  private static func float(_ value: RuleValue) throws -> Double {
    guard case .string(let text) = value else { return try value.number() }
    guard let number = double(trimmed(text)) else {
      throw EvaluationError("this string is not a float")
    }
    return number
  }

  /// As Java reads doubles: of words only these, and `1.5f` is one too.
  private static func double(_ text: String) -> Double? {
    let sign = text.prefix { $0 == "-" || $0 == "+" }
    switch text.dropFirst(sign.count) {
    case "Infinity": return sign == "-" ? -.infinity : sign.count < 2 ? .infinity : nil
    case "NaN": return sign.count < 2 ? .nan : nil
    default: break
    }
    let isHexadecimal = text.lowercased().contains("0x")
    let hasSuffix = ["f", "F", "d", "D"].contains { text.hasSuffix($0) }
    if isHexadecimal { return text.lowercased().contains("p") ? Double(text) : nil }
    let digits = hasSuffix ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }) else { return nil }
    return Double(digits)
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
