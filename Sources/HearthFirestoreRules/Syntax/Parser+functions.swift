import HearthLimits

extension Parser {
  private struct Local {
    let name: String
    let position: SourcePosition
  }

  /// A function, from its name on.
  mutating func function() throws(RuleSyntaxError) {
    let start = token.position
    let name = try name("the name of a function")
    let index = declarations.functions.count
    guard scopes.declareFunction(name, index: index) else {
      throw RuleSyntaxError(start, message: "Function \(name) is already defined.")
    }
    scopes.openFunction()
    var locals = try parameters(of: name)
    // In place before the body is read: functions are numbered in the order of their names.
    declarations.functions.append(
      FunctionDeclaration(name: name, position: start, parameterCount: locals.count))
    currentFunction = index
    try expect(.leftBrace)
    locals += try bindings(of: index)
    guard try skip(word: "return") else {
      throw error("'let' or 'return' is expected, found \(token.description)")
    }
    declarations.functions[index].result = try expression()
    _ = try skip(.semicolon)
    try expect(.rightBrace)
    currentFunction = nil
    for unused in scopes.closeFunction() {
      declarations.warnings.append(
        RuleWarning(locals[unused].position, word: locals[unused].name, what: "Unused variable"))
    }
  }

  private mutating func parameters(of function: String) throws(RuleSyntaxError) -> [Local] {
    try expect(.leftParen)
    var parameters: [Local] = []
    guard try !skip(.rightParen) else { return [] }
    repeat {
      let position = token.position
      let name = try variableName("the name of a parameter")
      parameters.append(Local(name: name, position: position))
      try declareLocal(name, at: position)
      if parameters.count > Limit.parameters.value {
        throw RuleSyntaxError(position, message: Limit.parameters.refusal(function))
      }
    } while try skip(.comma)
    try expect(.rightParen)
    return parameters
  }

  private mutating func bindings(of function: Int) throws(RuleSyntaxError) -> [Local] {
    var bindings: [Local] = []
    while try skip(word: "let") {
      let position = token.position
      let name = try variableName("the name of a variable")
      try expect(.assign)
      let value = try expression()
      try expect(.semicolon)
      // Declared after its value, which must not speak of it.
      try declareLocal(name, at: position)
      bindings.append(Local(name: name, position: position))
      declarations.functions[function].bindings.append(value)
      if bindings.count > Limit.bindings.value {
        throw RuleSyntaxError(position, message: Limit.bindings.refusal())
      }
    }
    return bindings
  }

  private mutating func declareLocal(
    _ name: String, at position: SourcePosition
  ) throws(RuleSyntaxError) {
    guard scopes.declareLocal(name) else {
      throw RuleSyntaxError(
        position, message: "The identifier [\(name)] is already bound in the current scope.")
    }
  }
}
