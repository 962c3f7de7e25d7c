extension Builtin {
  /// Characters are Unicode scalars, here as in `[i]` and `[i:j]`.
  static let stringMethods: [Builtin] = [
    Builtin("lower", 0) { .string(try $0[0].string().lowercased()) },
    Builtin("upper", 0) { .string(try $0[0].string().uppercased()) },
    Builtin("trim", 0) { .string(trimmed(try $0[0].string())) },
    Builtin("size", 0) { .int(Int64(try $0[0].string().unicodeScalars.count)) },
    Builtin("toUtf8", 0) { .bytes(Array(try $0[0].string().utf8)) },
    Builtin("matches", 1) {
      .bool(try RegexPattern(try $0[1].string()).matchesWhole(try $0[0].string()))
    },
    Builtin("replace", 2) {
      .string(
        try RegexPattern(try $0[1].string())
          .replaceAll(in: try $0[0].string(), with: try $0[2].string()))
    },
    Builtin("split", 1) {
      .list(try RegexPattern(try $0[1].string()).split(try $0[0].string()).map { .string($0) })
    },
  ]

  static let bytesMethods: [Builtin] = [
    Builtin("size", 0) { .int(Int64(try $0[0].bytes().count)) },
    Builtin("toBase64", 0) { .string(base64(try $0[0].bytes())) },
    Builtin("toHexString", 0) {
      .string(try $0[0].bytes().map { hexDigits[Int($0 >> 4)] + hexDigits[Int($0 & 15)] }.joined())
    },
  ]

  private static let hexDigits = "0123456789ABCDEF".map(String.init)
  /// Those for addresses, as the guide of the language shows them.
  private static let base64Digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let kept = scalars.drop { $0.properties.isWhitespace }
    guard let last = kept.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(kept[...last])
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
