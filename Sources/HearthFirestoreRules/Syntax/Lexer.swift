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
    if ["b", "B"].contains(scalar), let quote = peek(ahead: 1), quote == "'" || quote == "\"" {
      skip()
      return Token(kind: .bytes(try bytes(quotedBy: quote)), start: start)
    }
    if scalar.beginsIdentifier, scalar != "$" || peek(ahead: 1)?.continuesIdentifier == true {
      return Token(kind: .identifier(take { $0.continuesIdentifier }), start: start)
    }
    if scalar.isDigit || scalar == "." && peek(ahead: 1)?.isDigit == true {
      return Token(kind: try number(), start: start)
    }
    if ["--", "++"].contains(where: { beginsWith($0) }) {
      throw RuleSyntaxError(
        start.position, message: "Increment (++) and decrement (--) operators are not supported.")
    }
    if scalar == "'" || scalar == "\"" {
      return Token(kind: .string(try string(quotedBy: scalar)), start: start)
    }
    for symbol in Symbol.allCases where skip(symbol.rawValue) {
      return Token(kind: .symbol(symbol), start: start)
    }
    throw RuleSyntaxError(start.position, message: "unexpected character '\(scalar)'")
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

  func beginsWith(_ text: String) -> Bool {
    var ahead = 0
    for scalar in text.unicodeScalars {
      guard peek(ahead: ahead) == scalar else { return false }
      ahead += 1
    }
    return true
  }

  /// Passes over `text` if it comes next, and says whether it did.
  mutating func skip(_ text: String) -> Bool {
    guard beginsWith(text) else { return false }
    for _ in text.unicodeScalars { skip() }
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
  mutating func skipBlanks() throws(RuleSyntaxError) {
    while let scalar = peek() {
      if [" ", "\t", "\r", "\n", "\u{0C}"].contains(scalar) {
        skip()
      } else if skip("//") {
        _ = take { $0 != "\n" }
      } else if scalar == "/", peek(ahead: 1) == "*" {
        let start = cursor.position
        _ = skip("/*")
        while !skip("*/") {
          guard peek() != nil else {
            throw RuleSyntaxError(start, message: "this comment is never closed")
          }
          skip()
        }
      } else {
        return
      }
    }
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
  var beginsIdentifier: Bool {
    self == "$" || continuesWord && !isDigit
  }
  var continuesIdentifier: Bool { self == "$" || continuesWord }
  /// An ASCII letter, a digit or `_`.
  var continuesWord: Bool {
    self == "_" || isDigit || ("a"..."z").contains(self) || ("A"..."Z").contains(self)
  }
}
