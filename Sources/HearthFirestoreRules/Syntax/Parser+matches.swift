import HearthLimits

extension Parser {
  /// A `match`, whose word is at `keyword`, from its path on.
  mutating func match(
    at keyword: SourcePosition, below parent: [PatternSegment], depth: Int
  ) throws(RuleSyntaxError) {
    let start = token.position
    // Below `match /databases/{database}/documents`.
    guard depth <= Limit.matchDepth.value else {
      throw RuleSyntaxError(start, message: Limit.matchDepth.refusal())
    }
    scopes.open()
    let pattern = parent + (try matchPath())
    guard pattern.count <= Limit.matchPath.value else {
      throw RuleSyntaxError(keyword, message: Limit.matchPath.refusal())
    }
    guard pattern.count(where: \.isWildcard) <= Limit.matchVariables.value else {
      throw RuleSyntaxError(keyword, message: Limit.matchVariables.refusal())
    }
    guard pattern.count(where: \.isRecursive) <= 1 else {
      throw RuleSyntaxError(
        start, message: "Only one '=**' is permitted in the path of a match and of those around it."
      )
    }
    var hasChildren = false
    var block = MatchBlock(pattern: pattern)
    try expect(.leftBrace)
    if token.kind == .symbol(.rightBrace) {
      throw error("The 'match' body must contain at least one declaration.")
    }
    while try !skip(.rightBrace) {
      let position = token.position
      if try skip(word: "match") {
        try match(at: position, below: pattern, depth: depth + 1)
        hasChildren = true
      } else if try skip(word: "function") {
        try function()
      } else {
        block.allows.append(try allow())
      }
    }
    if declarations.version == 1, hasChildren, pattern.contains(where: \.isRecursive) {
      declarations.warnings.append(
        RuleWarning(
          keyword, length: 5,
          message: "Glob(**) resource rules should not have child resource rules."))
    }
    if !block.allows.isEmpty, service == .firestore { declarations.blocks.append(block) }
    scopes.close()
  }

  private mutating func allow() throws(RuleSyntaxError) -> AllowStatement {
    let position = token.position
    guard try skip(word: "allow") else {
      throw error("'allow', 'match' or 'function' is expected, found \(token.description)")
    }
    var methods: Set<RuleMethod> = []
    repeat { methods.formUnion(try method()) } while try skip(.comma)
    var condition: Expression?
    if try skip(.colon) {
      guard try skip(word: "if") else {
        throw error("'if' is expected before the condition, found \(token.description)")
      }
      condition = try expression()
    }
    _ = try skip(.semicolon)
    return AllowStatement(
      position: position, span: SourceSpan(start: position, end: lastEnd), methods: methods,
      condition: condition)
  }

  /// A word that is not a method allows nothing.
  private mutating func method() throws(RuleSyntaxError) -> Set<RuleMethod> {
    let position = token.position
    let word = try name("one of read, write, get, list, create, update, delete")
    if service != .unknown, let methods = RuleMethod.named(word.lowercased()) { return methods }
    declarations.warnings.append(RuleWarning(position, word: word, what: "Invalid method name"))
    return []
  }
}
