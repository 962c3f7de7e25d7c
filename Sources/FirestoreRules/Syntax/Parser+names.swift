/// Names in expressions: variables, functions, members and methods, refused here if nothing of
/// that name can exist.
extension Parser {
  /// Functions that need more than the values of their arguments.
  static let specialFunctions: Set<String> = [
    "get", "exists", "getAfter", "existsAfter", "debug",
  ]

  private static let requestMembers = ["auth", "method", "path", "query", "resource", "time"]
  private static let resourceMembers = ["data", "id", "__name__"]

  /// What a name means that begins an expression.
  mutating func named(
    _ name: String, at position: SourcePosition
  ) throws(RuleSyntaxError) -> Expression {
    if token.kind == .symbol(.leftParen) { return try call(name, at: position) }
    if let variable = scopes.variable(name) {
      return Expression(position: position, height: 1, kind: .variable(variable))
    }
    guard Builtin.namespaces.contains(name), try skip(.dot) else {
      throw RuleSyntaxError(position, "unknown variable '\(name)'")
    }
    return try namespaced(name)
  }

  private mutating func namespaced(_ namespace: String) throws(RuleSyntaxError) -> Expression {
    let position = token.position
    let member = try identifier("the name of a function")
    let name = "\(namespace).\(member)"
    guard let builtin = Builtin.global(name) else {
      throw RuleSyntaxError(position, "unknown function '\(name)'")
    }
    return try call(builtin, at: position)
  }

  private mutating func call(
    _ builtin: Builtin, at position: SourcePosition
  ) throws(RuleSyntaxError) -> Expression {
    let arguments = try self.arguments()
    try check(arguments.count, isIn: builtin.arity, for: builtin.name, at: position)
    return try node(.builtin(builtin, arguments: arguments), at: position, over: arguments)
  }

  private mutating func call(
    _ name: String, at position: SourcePosition
  ) throws(RuleSyntaxError) -> Expression {
    if let builtin = Builtin.global(name) { return try call(builtin, at: position) }
    let arguments = try self.arguments()
    if Self.specialFunctions.contains(name) {
      try check(arguments.count, isIn: 1...1, for: name, at: position)
      let kind: Expression.Kind =
        if let lookUp = Expression.LookUp(rawValue: name) {
          .lookUp(lookUp, arguments[0])
        } else {
          .debug(arguments[0])
        }
      return try node(kind, at: position, over: arguments)
    }
    declarations.calls.append(
      CallSite(
        name: name, position: position, argumentCount: arguments.count, scope: scopes.current,
        caller: currentFunction))
    return try node(
      .call(declarations.calls.count - 1, arguments: arguments), at: position, over: arguments)
  }

  private func check(
    _ count: Int, isIn arity: ClosedRange<Int>, for name: String, at position: SourcePosition
  ) throws(RuleSyntaxError) {
    guard arity.contains(count) else {
      throw RuleSyntaxError(
        position, "'\(name)' takes \(arity.description(of: "argument")), found \(count)")
    }
  }

  func checkMember(
    _ name: String, of value: Expression, at position: SourcePosition
  ) throws(RuleSyntaxError) {
    switch value.kind {
    case .variable(.request) where !Self.requestMembers.contains(name):
      throw RuleSyntaxError(position, "'request' has no member '\(name)'")
    case .variable(.resource) where !Self.resourceMembers.contains(name):
      throw RuleSyntaxError(position, "'resource' has no member '\(name)'")
    default: break
    }
  }

  func checkMethod(
    _ name: String, of value: Expression, _ arguments: [Expression], at position: SourcePosition
  ) throws(RuleSyntaxError) {
    let type = value.literalType
    let candidates = RuleType.allCases.filter { type == nil || $0 == type }
      .compactMap { Builtin.method(name, of: $0) }
    guard let first = candidates.first else {
      let owner = type.map { " of \($0.rawValue)" } ?? ""
      throw RuleSyntaxError(position, "unknown method '\(name)'\(owner)")
    }
    guard candidates.contains(where: { $0.arity.contains(arguments.count) }) else {
      try check(arguments.count, isIn: first.arity, for: name, at: position)
      return
    }
    if ["matches", "replace", "split"].contains(name), let pattern = arguments.first,
      case .literal(.string(let text)) = pattern.kind
    {
      do { _ = try RegexPattern(text) } catch {
        throw RuleSyntaxError(pattern.position, "\(error)")
      }
    }
  }
}

extension Expression {
  /// The type, where the expression itself shows it.
  fileprivate var literalType: RuleType? {
    switch kind {
    case .literal(let value): value.type
    case .list: .list
    case .map: .map
    case .path: .path
    default: nil
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
