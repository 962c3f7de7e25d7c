import HearthWire

/// What words and numbers without quotes are: the core schema of YAML 1.2.
enum YAMLScalar {
  private static let words: [String: JSON] = [
    "": .null, "~": .null, "null": .null, "Null": .null, "NULL": .null,
    "true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false,
    ".inf": .double(.infinity), ".Inf": .double(.infinity), ".INF": .double(.infinity),
    "+.inf": .double(.infinity), "-.inf": .double(-.infinity), "-.Inf": .double(-.infinity),
    "-.INF": .double(-.infinity), ".nan": .double(.nan), ".NaN": .double(.nan),
    ".NAN": .double(.nan),
  ]

  /// Nil for a text.
  static func json(_ text: String) -> JSON? {
    if let word = words[text] { return word }
    guard let first = text.utf8.first, first.isASCIIDigit || "+-.".utf8.contains(first) else {
      return nil
    }
    if text.hasPrefix("0x") { return Int64(text.dropFirst(2), radix: 16).map(JSON.int) }
    if text.hasPrefix("0o") { return Int64(text.dropFirst(2), radix: 8).map(JSON.int) }
    guard isNumber(text) else { return nil }
    return Int64(text).map(JSON.int) ?? Double(text).map(JSON.double)
  }

  private static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
    let whole = rest.prefix(while: \.isASCIIDigit).count
    rest = rest.dropFirst(whole)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = rest.prefix(while: \.isASCIIDigit).count
      rest = rest.dropFirst(fraction)
    }
    guard whole + fraction > 0 else { return false }
    guard let sign = rest.first else { return true }
    guard "eE".utf8.contains(sign) else { return false }
    rest = rest.dropFirst()
    if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
    return !rest.isEmpty && rest.allSatisfy(\.isASCIIDigit)
  }
}
