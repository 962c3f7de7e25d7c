/// Reads a rules file: the declarations here, paths and expressions in the extensions.
struct Parser {
  static let maximumSourceLength = 256 * 1024
  static let maximumNesting = 100
  static let maximumRecursiveWildcards = 3
  static let maximumParameters = 7
  static let maximumBindings = 10

  var lexer: Lexer
  var token: Token
  var declarations = Declarations()
  var scopes = Scopes()
  var nesting = 0
  var currentFunction: Int?

  static func parse(_ source: String) throws(RuleSyntaxError) -> Declarations {
    guard source.utf8.count <= maximumSourceLength else {
      throw RuleSyntaxError(SourcePosition(), "longer than \(maximumSourceLength / 1024) KiB")
    }
    var lexer = Lexer(source)
    let token = try lexer.next()
    var parser = Parser(lexer: lexer, token: token)
    try parser.file()
    try parser.declarations.resolveCalls(in: parser.scopes)
    return parser.declarations
  }

  private mutating func file() throws(RuleSyntaxError) {
    if try skip(word: "rules_version") {
      try expect(.assign)
      guard case .string(let text) = token.kind, let version = Int(text), [1, 2].contains(version)
      else { throw error("rules_version is '1' or '2'") }
      declarations.version = version
      try advance()
      _ = try skip(.semicolon)
    }
    try service()
    if token.kind != .end {
      throw error("nothing may follow the service, found \(token.description)")
    }
  }

  private mutating func service() throws(RuleSyntaxError) {
    guard try skip(word: "service") else {
      throw error("'service cloud.firestore' is expected, found \(token.description)")
    }
    let start = token
    var name = try identifier("the name of a service")
    while try skip(.dot) { name += "." + (try identifier("the name of a service")) }
    guard name == "cloud.firestore" else {
      throw RuleSyntaxError(
        start.position, "service '\(name)' is not served here, only 'cloud.firestore' is")
    }
    try expect(.leftBrace)
    while try !skip(.rightBrace) {
      if try skip(word: "match") {
        try match(below: [])
      } else if try skip(word: "function") {
        try function()
      } else {
        throw error("'match' or 'function' is expected, found \(token.description)")
      }
    }
  }

  /// A `match`, from its path on.
  private mutating func match(below parent: [PatternSegment]) throws(RuleSyntaxError) {
    try nest()
    scopes.open()
    let start = token.position
    let pattern = parent + (try matchPath())
    // Matching tries every way to share a path among them.
    guard pattern.count(where: \.isRecursive) <= Self.maximumRecursiveWildcards else {
      throw RuleSyntaxError(
        start, "at most \(Self.maximumRecursiveWildcards) '=**' may lie within one another")
    }
    var block = MatchBlock(pattern: pattern)
    try expect(.leftBrace)
    while try !skip(.rightBrace) {
      if try skip(word: "match") {
        try match(below: pattern)
      } else if try skip(word: "function") {
        try function()
      } else {
        block.allows.append(try allow())
      }
    }
    if !block.allows.isEmpty { declarations.blocks.append(block) }
    scopes.close()
    nesting -= 1
  }

  private mutating func allow() throws(RuleSyntaxError) -> AllowStatement {
    let position = token.position
    guard try skip(word: "allow") else {
      throw error("'allow', 'match' or 'function' is expected, found \(token.description)")
    }
    var methods: Set<RuleMethod> = []
    repeat {
      guard case .identifier(let word) = token.kind, let named = RuleMethod.named(word) else {
        throw error(
          "one of read, write, get, list, create, update, delete is expected, found "
            + token.description)
      }
      methods.formUnion(named)
      try advance()
    } while try skip(.comma)
    var condition: Expression?
    if try skip(.colon) {
      guard try skip(word: "if") else {
        throw error("'if' is expected, found \(token.description)")
      }
      condition = try expression()
    }
    try expect(.semicolon)
    return AllowStatement(position: position, methods: methods, condition: condition)
  }

  /// A function, from its name on.
  private mutating func function() throws(RuleSyntaxError) {
    let start = token.position
    let name = try identifier("the name of a function")
    if Builtin.global(name) != nil || Self.specialFunctions.contains(name) {
      throw RuleSyntaxError(start, "'\(name)' is the name of a built-in function")
    }
    let index = declarations.functions.count
    guard scopes.declareFunction(name, index: index) else {
      throw RuleSyntaxError(start, "there is a function '\(name)' here already")
    }
    scopes.openFunction()
    let parameterCount = try parameters()
    // In place before the body is read: functions are numbered in the order of their names.
    declarations.functions.append(
      FunctionDeclaration(name: name, position: start, parameterCount: parameterCount))
    currentFunction = index
    try expect(.leftBrace)
    try bindings(of: index)
    guard try skip(word: "return") else {
      throw error("'let' or 'return' is expected, found \(token.description)")
    }
    declarations.functions[index].result = try expression()
    try expect(.semicolon)
    try expect(.rightBrace)
    currentFunction = nil
    scopes.closeFunction()
  }

  private mutating func parameters() throws(RuleSyntaxError) -> Int {
    try expect(.leftParen)
    var count = 0
    guard try !skip(.rightParen) else { return 0 }
    repeat {
      let position = token.position
      let name = try identifier("the name of a parameter")
      count += 1
      try declareLocal(name, at: position)
      if count > Self.maximumParameters {
        throw RuleSyntaxError(position, "at most \(Self.maximumParameters) parameters are possible")
      }
    } while try skip(.comma)
    try expect(.rightParen)
    return count
  }

  private mutating func bindings(of function: Int) throws(RuleSyntaxError) {
    while case .identifier("let") = token.kind {
      let start = token.position
      try advance()
      let position = token.position
      let name = try identifier("the name of a variable")
      try expect(.assign)
      let value = try expression()
      try expect(.semicolon)
      // Declared after its value, which must not speak of it.
      try declareLocal(name, at: position)
      declarations.functions[function].bindings.append(value)
      if declarations.functions[function].bindings.count > Self.maximumBindings {
        throw RuleSyntaxError(start, "at most \(Self.maximumBindings) 'let's are possible")
      }
    }
  }

  private mutating func declareLocal(
    _ name: String, at position: SourcePosition
  ) throws(RuleSyntaxError) {
    guard scopes.declareLocal(name) else {
      throw RuleSyntaxError(position, "there is a variable '\(name)' in this function already")
    }
  }
}
