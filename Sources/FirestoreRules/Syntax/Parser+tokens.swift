extension Parser {
  mutating func advance() throws(RuleSyntaxError) { token = try lexer.next() }

  mutating func skip(_ symbol: Symbol) throws(RuleSyntaxError) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  mutating func skip(word: String) throws(RuleSyntaxError) -> Bool {
    guard token.kind == .identifier(word) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: Symbol) throws(RuleSyntaxError) {
    guard try skip(symbol) else {
      throw error("'\(symbol.rawValue)' is expected, found \(token.description)")
    }
  }

  mutating func identifier(_ what: String) throws(RuleSyntaxError) -> String {
    guard case .identifier(let name) = token.kind else {
      throw error("\(what) is expected, found \(token.description)")
    }
    try advance()
    return name
  }

  func error(_ message: String) -> RuleSyntaxError { RuleSyntaxError(token.position, message) }

  /// Goes one level deeper. Who calls it lowers `nesting` again when the level is left.
  mutating func nest() throws(RuleSyntaxError) {
    nesting += 1
    if nesting > Self.maximumNesting {
      throw error("nested more than \(Self.maximumNesting) levels deep")
    }
  }
}
