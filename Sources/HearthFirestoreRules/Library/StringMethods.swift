extension Builtin {
  /// Characters are UTF-16 units, here as in `[i]` and `[i:j]`; case and blanks are ASCII's. So
  /// does the official emulator, which is written in Java.
  static let stringMethods: [Builtin] = [
    Builtin("lower", arity: 0) { .string(mapped(try $0[0].string(), from: "A"..."Z", by: 0x20)) },
    Builtin("upper", arity: 0) { .string(mapped(try $0[0].string(), from: "a"..."z", by: -0x20)) },
    Builtin("trim", arity: 0) { .string(trimmed(try $0[0].string())) },
    Builtin("size", arity: 0) { .int(Int64(try $0[0].string().utf16.count)) },
    Builtin("toUtf8", arity: 0) { .bytes(Array(try $0[0].string().utf8)) },
    Builtin(metered: "matches", arity: 1) { arguments, budget in
      let text = try arguments[0].string()
      return .bool(
        try RuleRegex(try arguments[1].string(), budget: budget).matchesWhole(text, budget: budget))
    },
    Builtin(metered: "replace", arity: 2) { arguments, budget in
      let text = try arguments[0].string()
      return .string(
        try RuleRegex(try arguments[1].string(), budget: budget)
          .replaceAll(in: text, with: try arguments[2].string(), budget))
    },
    Builtin(metered: "split", arity: 1) { arguments, budget in
      let text = try arguments[0].string()
      let parts = try RuleRegex(try arguments[1].string(), budget: budget).split(
        text, budget: budget)
      return .list(parts.map { .string($0) })
    },
  ]

  static let bytesMethods: [Builtin] = [
    Builtin("size", arity: 0) { .int(Int64(try $0[0].bytes().count)) },
    Builtin("toBase64", arity: 0) { .string(base64(try $0[0].bytes())) },
    Builtin("toHexString", arity: 0) {
      .string(try $0[0].bytes().map { hexDigits[Int($0 >> 4)] + hexDigits[Int($0 & 15)] }.joined())
    },
  ]

  private static let hexDigits = "0123456789ABCDEF".map(String.init)
  /// Those for addresses, as the guide of the language shows them.
  private static let base64Digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  static func trimmed(_ text: String) -> String {
    let kept = text.unicodeScalars.drop { $0.value <= 0x20 }
    guard let last = kept.lastIndex(where: { $0.value > 0x20 }) else { return "" }
    return String(kept[...last])
  }

  private static func mapped(
    _ text: String, from letters: ClosedRange<Unicode.Scalar>, by offset: Int
  ) -> String {
    let range = UInt8(ascii: letters.lowerBound)...UInt8(ascii: letters.upperBound)
    let bytes = text.utf8.map { range.contains($0) ? UInt8(Int($0) + offset) : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let padded = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
      for digit in 0..<4 {
        let index = Int(padded >> (18 - 6 * digit)) & 63
        text.append(digit <= group.count ? base64Digits[index] : "=")
      }
    }
    return text
  }
}
