/// Numbers as JavaScript reads and prints them, which is how the official emulator does.
package enum JavaScriptNumber {
  /// The shortest text that reads back as the number: plain digits for all that is not very large
  /// or very small. https://tc39.es/ecma262/#sec-numeric-types-number-tostring
  package static func text(_ value: Double) -> String {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
    if value < 0 { return "-" + text(-value) }
    let (digits, point) = digits(of: value)
    let count = digits.count
    switch point {
    case count...21: return digits + zeros(point - count)
    case 1...21: return digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0: return "0." + zeros(-point) + digits
    default:
      let fraction = count == 1 ? "" : "." + digits.dropFirst()
      return digits.prefix(1) + fraction + (point > 0 ? "e+" : "e-") + String(abs(point - 1))
    }
  }

  /// The significant digits, and how many of them (of zeros before them) stand before the point.
  /// Swift finds the same digits as JavaScript and only arranges them otherwise.
  private static func digits(of value: Double) -> (String, point: Int) {
    let parts = value.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
    let all = mantissa[0] + fraction
    let significant = all.drop { $0 == "0" }
    let point = mantissa[0].count + exponent - (all.count - significant.count)
    let trailing = significant.reversed().prefix { $0 == "0" }.count
    return (String(significant.dropLast(trailing)), point)
  }

  private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

  /// What `Number(text)` is; nil for `NaN`. https://tc39.es/ecma262/#sec-stringtonumber
  package static func value(_ text: String) -> Double? {
    let trimmed = text.unicodeScalars.drop(while: isBlank)
    var end = trimmed.endIndex
    while end > trimmed.startIndex {
      let before = trimmed.index(before: end)
      guard isBlank(trimmed[before]) else { break }
      end = before
    }
    let literal = Substring(trimmed[..<end])
    if literal.isEmpty { return 0 }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)]
    where literal.prefix(2).lowercased() == prefix {
      return whole(literal.dropFirst(2), radix: radix)
    }
    switch literal {
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      // Swift also reads words and binary exponents.
      let isDecimal = literal.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
      return isDecimal ? Double(literal) : nil
    }
  }

  /// Digits without a sign. A long number is as near as its digits can be added up.
  private static func whole(_ digits: Substring, radix: Int) -> Double? {
    guard !digits.isEmpty else { return nil }
    var value = 0.0
    for digit in digits {
      guard digit.isASCII, let next = digit.hexDigitValue, next < radix else { return nil }
      value = value * Double(radix) + Double(next)
    }
    return value
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
      0xFEFF:
      true
    default: false
    }
  }
}
