extension Lexer {
  /// `0`, `12`, `1.5`, `1.`, `.5`. No exponent and no leading zero, as in Google's compiler: what
  /// loads here can be deployed.
  mutating func number() throws(RuleSyntaxError) -> Token.Kind {
    let start = cursor.position
    var text = take { $0.isDigit }
    var isFloat = false
    if peek() == "." {
      isFloat = true
      skip()
      text += "." + take { $0.isDigit }
    }
    if peek()?.continuesIdentifier == true { text += take { $0.continuesIdentifier } }
    if text.count > 1, text.first == "0", text.dropFirst().first != "." {
      throw RuleSyntaxError(start, message: "Invalid number literal \(text): it begins with 0.")
    }
    let isPlain = text.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
    if isFloat, isPlain, let value = Double(padded(text)), value.isFinite {
      return .float(value)
    }
    if !isFloat, let value = UInt64(text), value <= UInt64(Int64.max) + 1 { return .int(value) }
    throw RuleSyntaxError(start, message: "Invalid number literal \(text).")
  }

  private func padded(_ text: String) -> String { "0" + (text.last == "." ? text + "0" : text) }

  mutating func string(quotedBy quote: Unicode.Scalar) throws(RuleSyntaxError) -> String {
    let start = cursor.position
    var units: [UInt16] = []
    skip()
    while let scalar = peek(), scalar != "\n" {
      let position = cursor.position
      skip()
      if scalar == quote { return String(decoding: units, as: UTF16.self) }
      if scalar == "\\" {
        units.append(try escape(from: position))
      } else {
        units += Array(String(scalar).utf16)
      }
    }
    throw RuleSyntaxError(start, message: "Missing a closing \(quote)")
  }

  /// `b'…'`, with the escapes of strings; `\xFF` and `\377` are single bytes.
  mutating func bytes(quotedBy quote: Unicode.Scalar) throws(RuleSyntaxError) -> [UInt8] {
    let start = cursor.position
    var bytes: [UInt8] = []
    skip()
    while let scalar = peek(), scalar != "\n" {
      let position = cursor.position
      skip()
      if scalar == quote { return bytes }
      if scalar != "\\" {
        bytes += String(scalar).utf8
      } else {
        guard peek() != "u", let byte = UInt8(exactly: try escape(from: position)) else {
          throw RuleSyntaxError(position, message: "a byte is written '\\x2A' or '\\052'")
        }
        bytes.append(byte)
      }
    }
    throw RuleSyntaxError(start, message: "Missing a closing \(quote)")
  }

  /// What follows a backslash, as a UTF-16 unit: two `\u` may make one character.
  private mutating func escape(from start: SourcePosition) throws(RuleSyntaxError) -> UInt16 {
    guard let scalar = peek() else { throw RuleSyntaxError(start, message: "unfinished escape") }
    if ("0"..."3").contains(scalar) { return try code(3, radix: 8, scalar: scalar, start: start) }
    skip()
    switch scalar {
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "b": return 0x08
    case "f": return 0x0C
    case "\\", "'", "\"": return UInt16(scalar.value)
    case "x": return try code(2, radix: 16, scalar: scalar, start: start)
    case "u": return try code(4, radix: 16, scalar: scalar, start: start)
    default: throw unknownEscape(scalar, start: start)
    }
  }

  private mutating func code(
    _ length: Int, radix: Int, scalar: Unicode.Scalar, start: SourcePosition
  ) throws(RuleSyntaxError) -> UInt16 {
    var digits = ""
    while digits.count < length, let digit = peek(), digit.properties.isASCIIHexDigit {
      digits.unicodeScalars.append(digit)
      skip()
    }
    guard digits.count == length, let code = UInt16(digits, radix: radix) else {
      throw unknownEscape(scalar, start: start)
    }
    return code
  }

  private func unknownEscape(_ scalar: Unicode.Scalar, start: SourcePosition) -> RuleSyntaxError {
    RuleSyntaxError(
      start, message: "unknown escape '\\\(scalar)'; a backslash in a pattern is written '\\\\'")
  }
}
