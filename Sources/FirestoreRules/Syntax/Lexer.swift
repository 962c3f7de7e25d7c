/// Cuts the source into tokens, one at a time: whether `/` divides or begins a path only the parser
/// knows, so the parser can go back to a token and read it again as a path (`Lexer+paths.swift`).
struct Lexer {
  /// A place to come back to.
  struct Cursor: Sendable, Equatable {
    var offset = 0
    var position = SourcePosition()
  }

  private let scalars: [Unicode.Scalar]
  var cursor = Cursor()

  init(_ source: String) { scalars = Array(source.unicodeScalars) }

  mutating func next() throws(RuleSyntaxError) -> Token {
    try skipBlanks()
    let start = cursor
    guard let scalar = peek() else { return Token(kind: .end, start: start) }
    if scalar == "b", let quote = peek(ahead: 1), quote == "'" || quote == "\"" {
      skip()
      return Token(kind: .bytes(try bytes(quotedBy: quote)), start: start)
    }
    if scalar.beginsIdentifier {
      return Token(kind: .identifier(take { $0.continuesIdentifier }), start: start)
    }
    if scalar.isDigit { return Token(kind: try number(), start: start) }
    if scalar == "'" || scalar == "\"" {
      return Token(kind: .string(try string(quotedBy: scalar)), start: start)
    }
    for symbol in Symbol.allCases where skip(symbol.rawValue) {
      return Token(kind: .symbol(symbol), start: start)
    }
    throw RuleSyntaxError(start.position, "unexpected character '\(scalar)'")
  }

  func peek(ahead: Int = 0) -> Unicode.Scalar? {
    let index = cursor.offset + ahead
    return index < scalars.count ? scalars[index] : nil
  }

  mutating func skip() {
    guard let scalar = peek() else { return }
    cursor.offset += 1
    if scalar == "\n" {
      cursor.position.line += 1
      cursor.position.column = 1
    } else {
      cursor.position.column += 1
    }
  }

  /// Passes over `text` if it comes next, and says whether it did.
  mutating func skip(_ text: String) -> Bool {
    var ahead = 0
    for scalar in text.unicodeScalars {
      guard peek(ahead: ahead) == scalar else { return false }
      ahead += 1
    }
    for _ in 0..<ahead { skip() }
    return true
  }

  mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = peek(), belongs(scalar) {
      text.append(scalar)
      skip()
    }
    return String(text)
  }

  /// Passes over white space and comments.
  private mutating func skipBlanks() throws(RuleSyntaxError) {
    while let scalar = peek() {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        skip()
      } else if skip("//") {
        _ = take { $0 != "\n" }
      } else if scalar == "/", peek(ahead: 1) == "*" {
        let start = cursor.position
        _ = skip("/*")
        while !skip("*/") {
          guard peek() != nil else { throw RuleSyntaxError(start, "this comment is never closed") }
          skip()
        }
      } else {
        return
      }
    }
  }

  private mutating func number() throws(RuleSyntaxError) -> Token.Kind {
    let start = cursor.position
    var text = take { $0.isDigit }
    var isFloat = false
    if peek() == ".", peek(ahead: 1)?.isDigit == true {
      isFloat = true
      skip()
      text += "." + take { $0.isDigit }
    }
    if peek() == "e" || peek() == "E" {
      isFloat = true
      skip()
      let sign = take { $0 == "+" || $0 == "-" }
      text += "e" + sign + take { $0.isDigit }
    }
    if peek()?.continuesIdentifier == true { text += take { $0.continuesIdentifier } }
    if isFloat, let value = Double(text), value.isFinite { return .float(value) }
    if !isFloat, let value = Int64(text) { return .int(value) }
    throw RuleSyntaxError(start, "'\(text)' is not a number or is out of range")
  }

  private mutating func string(quotedBy quote: Unicode.Scalar) throws(RuleSyntaxError) -> String {
    let start = cursor.position
    var text = String.UnicodeScalarView()
    skip()
    while let scalar = peek(), scalar != "\n" {
      let position = cursor.position
      skip()
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try escape(from: position) : scalar)
    }
    throw RuleSyntaxError(start, "this string is never closed")
  }

  /// `b'…'`, which knows the escapes of strings and besides them `\x2A` and `\052`.
  private mutating func bytes(quotedBy quote: Unicode.Scalar) throws(RuleSyntaxError) -> [UInt8] {
    let start = cursor.position
    var bytes: [UInt8] = []
    skip()
    while let scalar = peek(), scalar != "\n" {
      let position = cursor.position
      skip()
      if scalar == quote { return bytes }
      if scalar != "\\" {
        bytes += String(scalar).utf8
      } else if peek() == "x" {
        skip()
        bytes.append(try byte(2, radix: 16, position))
      } else if peek()?.isDigit == true {
        bytes.append(try byte(3, radix: 8, position))
      } else {
        bytes += String(try escape(from: position)).utf8
      }
    }
    throw RuleSyntaxError(start, "these bytes are never closed")
  }

  private mutating func byte(
    _ length: Int, radix: Int, _ start: SourcePosition
  ) throws(RuleSyntaxError) -> UInt8 {
    var digits = ""
    while digits.count < length, let digit = peek(), digit.properties.isASCIIHexDigit {
      digits.unicodeScalars.append(digit)
      skip()
    }
    guard digits.count == length, let byte = UInt8(digits, radix: radix) else {
      throw RuleSyntaxError(start, "a byte is written '\\x2A' or '\\052'")
    }
    return byte
  }

  private mutating func escape(from start: SourcePosition) throws(RuleSyntaxError) -> Unicode.Scalar
  {
    guard let scalar = peek() else { throw RuleSyntaxError(start, "unfinished escape") }
    skip()
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{08}"
    case "f": return "\u{0C}"
    case "\\", "'", "\"", "/", "`", "?": return scalar
    case "u":
      var digits = ""
      while digits.count < 4, let digit = peek(), digit.properties.isASCIIHexDigit {
        digits.unicodeScalars.append(digit)
        skip()
      }
      if digits.count == 4, let code = UInt32(digits, radix: 16), let value = Unicode.Scalar(code) {
        return value
      }
    default: break
    }
    throw RuleSyntaxError(
      start, "unknown escape '\\\(scalar)'; a backslash in a pattern is written '\\\\'")
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
  var beginsIdentifier: Bool {
    self == "_" || ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }
  var continuesIdentifier: Bool { beginsIdentifier || isDigit }
}
