extension Parser {
  /// The path of a `match`: `/users/{uid}/{rest=**}`.
  mutating func matchPath() throws(RuleSyntaxError) -> [PatternSegment] {
    guard token.kind == .symbol(.slash) else {
      throw error("a path beginning with '/' is expected, found \(token.description)")
    }
    var segments: [PatternSegment] = []
    var recursive: SourcePosition?
    lexer.cursor = token.start
    while try lexer.skipSlashOfMatch() {
      let position = lexer.cursor.position
      if let recursive, declarations.version == 1 {
        throw RuleSyntaxError(
          recursive, message: "With rules_version '1' only the last segment may be '=**'.")
      }
      let segment = try matchSegment()
      if case .recursive = segment {
        if recursive != nil {
          throw RuleSyntaxError(position, message: "Only one segment of a match may be '=**'.")
        }
        recursive = position
      }
      segments.append(segment)
    }
    try advance()
    return segments
  }

  private mutating func matchSegment() throws(RuleSyntaxError) -> PatternSegment {
    guard lexer.peek() == "{" else { return .literal(try literalSegment()) }
    lexer.skip()
    try advance()
    let position = token.position
    let name = try variableName("the name of a wildcard")
    guard let wildcard = scopes.declareWildcard(name) else {
      throw RuleSyntaxError(
        position, message: "Variable \(name) already exists in the PathTemplate.")
    }
    var isRecursive = false
    if try skip(.assign) {
      let second = token.start.offset + 1
      try expect(.star)
      if token.start.offset == second { isRecursive = try skip(.star) }
    }
    // The lexer is right after the token that it returned last: the brace.
    guard token.kind == .symbol(.rightBrace) else {
      throw error("'}' is expected, found \(token.description)")
    }
    return isRecursive ? .recursive(wildcard: wildcard) : .single(wildcard: wildcard)
  }

  /// A path as a value: `/databases/$(database)/documents/users/$(uid)`.
  mutating func pathLiteral() throws(RuleSyntaxError) -> Expression {
    let position = token.position
    var parts: [Expression.PathPart] = []
    var interpolations: [Expression] = []
    lexer.cursor = token.start
    guard try lexer.skipSlashOfPath() else { throw error("a path segment is expected") }
    repeat {
      if let placeholder = lexer.pathPlaceholder() {
        parts.append(.literal(placeholder))
        continue
      }
      guard try lexer.skipInterpolation() else {
        parts.append(.literal(try literalSegment()))
        continue
      }
      try advance()
      let value = try expression()
      guard token.kind == .symbol(.rightParen) else {
        throw error("')' is expected, found \(token.description)")
      }
      parts.append(.interpolation(value))
      interpolations.append(value)
    } while try lexer.skipSlashOfPath()
    try advance()
    return try node(.path(parts), at: position, over: interpolations)
  }

  private mutating func literalSegment() throws(RuleSyntaxError) -> String {
    let position = lexer.cursor.position
    let text = lexer.pathSegment()
    if text.isEmpty { throw RuleSyntaxError(position, message: "a path segment is expected") }
    return text
  }
}
