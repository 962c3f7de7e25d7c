/// Names in expressions: variables, functions, members and methods. One that nothing has is no
/// mistake but a warning, as in Google's compiler: it fails when it is evaluated.
extension Parser {
  /// What a name means that begins an expression.
  mutating func named(
    _ name: String, at position: SourcePosition
  ) throws(RuleSyntaxError) -> Expression {
    if token.kind == .symbol(.leftParen) { return try call(name, at: position) }
    if let variable = scopes.variable(name), service != .unknown || !variable.isOfService {
      return expression(.variable(variable), at: position)
    }
    if Builtin.namespaces.contains(name) { return try namespaced(name, at: position) }
    declarations.warnings.append(RuleWarning(position, word: name, what: "Invalid variable name"))
    return expression(.missing("unknown variable '\(name)'"), at: position)
  }

  private mutating func namespaced(
    _ namespace: String, at start: SourcePosition
  ) throws(RuleSyntaxError) -> Expression {
    guard try skip(.dot) else {
      throw RuleSyntaxError(
        start, message: "\(namespace) is a package and cannot be used as variable name.")
    }
    let position = token.position
    let member = try identifier("the name of a function")
    let name = "\(namespace).\(member)"
    guard token.kind == .symbol(.leftParen) else {
      throw RuleSyntaxError(
        start, message: "\(namespace) is a package and cannot be used as variable name.")
    }
    let arguments = try self.arguments()
    guard let builtin = Builtin.global(name) else {
      return missing(
        "unknown function '\(name)'",
        warning: RuleWarning(
          position, length: member.unicodeScalars.count, message: "Invalid function name: \(name)."),
        at: position)
    }
    guard builtin.arity.contains(arguments.count) else {
      return missing(
        "'\(name)' does not take \(arguments.count) arguments",
        warning: RuleWarning(
          position, length: member.unicodeScalars.count,
          message: "Incorrect number of arguments supplied to function: \(name)."),
        at: position)
    }
    return try node(
      .builtin(builtin, arguments: arguments), at: position, from: start, over: arguments)
  }

  private mutating func missing(
    _ message: String, warning: RuleWarning, at position: SourcePosition
  ) -> Expression {
    declarations.warnings.append(warning)
    return expression(.missing(message), at: position)
  }

  private mutating func call(
    _ name: String, at position: SourcePosition
  ) throws(RuleSyntaxError) -> Expression {
    let arguments = try self.arguments()
    declarations.calls.append(
      CallSite(
        name: name, position: position, argumentCount: arguments.count, scope: scopes.current,
        service: service, caller: currentFunction, target: .missing("not resolved")))
    return try node(
      .call(declarations.calls.count - 1, arguments: arguments), at: position, over: arguments)
  }

  mutating func checkMethod(
    _ name: String, of value: Expression, arguments: [Expression], at position: SourcePosition
  ) throws(RuleSyntaxError) {
    let candidates = RuleType.allCases.compactMap { Builtin.method(name, of: $0) }
    if candidates.isEmpty {
      declarations.warnings.append(RuleWarning(position, word: name, what: "Invalid function name"))
    } else if !candidates.contains(where: { $0.arity.contains(arguments.count) }) {
      declarations.warnings.append(
        RuleWarning(
          position, word: name, what: "Incorrect number of arguments supplied to function"))
    }
    // A pattern of `replace` is looked at when it is used.
    if ["matches", "split"].contains(name), let pattern = arguments.first,
      case .literal(.string(let text)) = pattern.kind
    {
      do { _ = try RuleRegex(text) } catch {
        throw RuleSyntaxError(
          pattern.position,
          message: "Invalid regular expression pattern. Pattern: \(text). \(error)")
      }
    }
  }
}

extension ClosedRange<Int> {
  /// `1 argument`, `2 arguments`, `1 to 2 arguments`.
  func description(of noun: String) -> String {
    let plural = upperBound == 1 ? noun : noun + "s"
    return lowerBound == upperBound
      ? "\(lowerBound) \(plural)" : "\(lowerBound) to \(upperBound) \(plural)"
  }
}
