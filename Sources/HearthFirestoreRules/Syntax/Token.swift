/// A word of the language, with the place where it begins.
struct Token: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case identifier(String)
    /// At most 2^63, which only a minus before it makes an int.
    case int(UInt64)
    case float(Double)
    case string(String)
    case bytes([UInt8])
    case symbol(Symbol)
    case end
  }

  let kind: Kind
  let start: Lexer.Cursor

  var position: SourcePosition { start.position }

  /// Words that name nothing but themselves. Those of the last two lines have no use in rules;
  /// Google's compiler keeps them all the same.
  static let keywords: Set<String> = [
    "true", "false", "null", "in", "is", "let", "return", "function", "match", "allow", "service",
    "if", "import", "rules_version",
    "break", "case", "continue", "default", "do", "each", "else", "extends", "for", "goto", "not",
    "package", "switch", "then", "var", "while",
  ]

  /// How an error message names it.
  var description: String {
    switch kind {
    case .identifier(let name): "'\(name)'"
    case .int, .float: "a number"
    case .string: "a string"
    case .bytes: "bytes"
    case .symbol(let symbol): "'\(symbol.rawValue)'"
    case .end: "the end of the file"
    }
  }
}

/// Punctuation; where one is the beginning of another, the longer comes first.
enum Symbol: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case and = "&&"
  case or = "||"
  case assign = "="
  case less = "<"
  case greater = ">"
  case not = "!"
  case plus = "+"
  case minus = "-"
  case star = "*"
  case slash = "/"
  case percent = "%"
  case question = "?"
  case colon = ":"
  case semicolon = ";"
  case comma = ","
  case dot = "."
  case leftBrace = "{"
  case rightBrace = "}"
  case leftParen = "("
  case rightParen = ")"
  case leftBracket = "["
  case rightBracket = "]"
}
