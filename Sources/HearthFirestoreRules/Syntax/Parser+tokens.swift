import HearthLimits

extension Parser {
  mutating func advance() throws(RuleSyntaxError) {
    lastEnd = lexer.cursor.position
    token = try lexer.next()
  }

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

  func error(_ message: String) -> RuleSyntaxError {
    RuleSyntaxError(token.position, message: message)
  }

  /// A name that the file declares.
  mutating func name(_ what: String) throws(RuleSyntaxError) -> String {
    if case .identifier(let word) = token.kind, Token.keywords.contains(word) {
      throw error("\(what) is expected, found \(token.description)")
    }
    return try identifier(what)
  }

  mutating func variableName(_ what: String) throws(RuleSyntaxError) -> String {
    let position = token.position
    let name = try name(what)
    try refusePackage(name, at: position)
    return name
  }

  func refusePackage(_ name: String, at position: SourcePosition) throws(RuleSyntaxError) {
    if Builtin.namespaces.contains(name) {
      throw RuleSyntaxError(
        position, message: "\(name) is a package and cannot be used as variable name.")
    }
  }

  /// Goes one level deeper. Who calls it lowers `nesting` again when the level is left.
  mutating func nest() throws(RuleSyntaxError) {
    nesting += 1
    if nesting > Self.maximumComplexity { throw Self.tooComplex(token.position) }
  }

  static func tooComplex(_ position: SourcePosition) -> RuleSyntaxError {
    RuleSyntaxError(position, message: Limit.expressionHeight.refusal())
  }
}
