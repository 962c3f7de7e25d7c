/// Evaluates the conditions of one request and counts what that costs.
struct Evaluator {
  static let maximumExpressions = 1000
  static let maximumCallDepth = 20
  /// Over all calls together: evaluation is recursive, and a stack is finite.
  static let maximumNesting = 250

  let declarations: Declarations
  let request: Term
  let resource: Term
  let knowledge: QueryKnowledge
  var lookUps: LookUps
  /// The wildcards of the block whose `allow` is evaluated.
  var wildcards: [Int: Term] = [:]
  /// What `debug()` was given.
  private(set) var debugNotes: [RuleReason] = []
  /// What was evaluated, for the report.
  private(set) var seen: [(SourcePosition, RuleCoverage.Outcome)] = []

  private var locals: [Term] = []
  private var expressions = 0
  private var callDepth = 0
  private var nesting = 0

  init(
    _ declarations: Declarations, request: Term, resource: Term, knowledge: QueryKnowledge,
    lookUps: LookUps
  ) {
    self.declarations = declarations
    self.request = request
    self.resource = resource
    self.knowledge = knowledge
    self.lookUps = lookUps
  }

  mutating func evaluate(_ expression: Expression) throws -> Term {
    nesting += 1
    defer { nesting -= 1 }
    do {
      guard nesting <= Self.maximumNesting else {
        throw EvaluationError("nested too deeply", exceedsLimit: true)
      }
      let term = try term(of: expression)
      if expression.isCounted { note(expression.position, RuleCoverage.Outcome(term)) }
      return term
    } catch var error as EvaluationError {
      if expression.isCounted { note(expression.position, .failure) }
      error.position = error.position ?? expression.position
      throw error
    }
  }

  mutating func note(_ position: SourcePosition, _ outcome: RuleCoverage.Outcome) {
    seen.append((position, outcome))
  }

  private mutating func term(of expression: Expression) throws -> Term {
    switch expression.kind {
    // Values and names cost nothing, all else is one expression each.
    case .literal(let value): return .known(value)
    case .variable(let variable): return value(of: variable)
    default:
      expressions += 1
      if expressions > Self.maximumExpressions {
        throw EvaluationError(
          "more than \(Self.maximumExpressions) expressions", exceedsLimit: true)
      }
      return try compound(expression)
    }
  }

  private func value(of variable: Expression.Variable) -> Term {
    switch variable {
    case .request: request
    case .resource: resource
    case .wildcard(let index): wildcards[index] ?? .unknown
    case .local(let index): locals[index]
    }
  }

  private mutating func compound(_ expression: Expression) throws -> Term {
    switch expression.kind {
    case .literal, .variable: preconditionFailure("evaluated by term(of:)")
    case .list(let elements):
      return try Term.combining(try terms(elements)) { .list($0) }
    case .map(let entries): return try map(entries)
    case .path(let parts): return try path(parts)
    case .member(let value, let name): return try member(name, of: try evaluate(value))
    case .index(let value, let index): return try element(try evaluate(index), of: evaluate(value))
    case .slice(let value, let start, let end):
      return try Term.combining(try terms([value, start, end])) {
        try RuleValue.slice($0[0], from: $0[1], to: $0[2])
      }
    case .not(let operand):
      return try Term.combining([try evaluate(operand)]) { .bool(try !$0[0].bool()) }
    case .negate(let operand):
      return try Term.combining([try evaluate(operand)]) { try $0[0].negated() }
    case .binary(let operation, let left, let right):
      return try binary(operation, try evaluate(left), try evaluate(right))
    case .all(let parts): return try chain(parts, decidedBy: false)
    case .any(let parts): return try chain(parts, decidedBy: true)
    case .typeTest(let value, let test): return try typeTest(try evaluate(value), test)
    case .conditional(let condition, let then, let otherwise):
      return try conditional(condition, then, otherwise)
    case .method(let value, let name, let arguments):
      return try method(name, of: try evaluate(value), try terms(arguments))
    case .builtin(let builtin, let arguments):
      return try Term.combining(try terms(arguments), builtin.body)
    case .lookUp(let lookUp, let path): return try self.lookUp(lookUp, at: try evaluate(path))
    case .debug(let value):
      let term = try evaluate(value)
      debugNotes.append(RuleReason(expression.position, "debug: \(term.description)"))
      return term
    case .call(let index, let arguments):
      return try call(declarations.calls[index], try terms(arguments))
    }
  }

  private mutating func terms(_ expressions: [Expression]) throws -> [Term] {
    var terms: [Term] = []
    for expression in expressions { terms.append(try evaluate(expression)) }
    return terms
  }

  private mutating func call(_ call: CallSite, _ arguments: [Term]) throws -> Term {
    guard let target = call.target, let result = declarations.functions[target].result else {
      preconditionFailure("the parser leaves no call without a function")
    }
    guard callDepth < Self.maximumCallDepth else {
      throw EvaluationError(
        "more than \(Self.maximumCallDepth) calls within one another", exceedsLimit: true)
    }
    let callersLocals = locals
    callDepth += 1
    defer {
      callDepth -= 1
      locals = callersLocals
    }
    locals = arguments
    for binding in declarations.functions[target].bindings {
      locals.append(try evaluate(binding))
    }
    return try evaluate(result)
  }

  private mutating func lookUp(_ lookUp: Expression.LookUp, at path: Term) throws -> Term {
    guard case .known(let path) = path else { return .unknown }
    switch lookUp {
    case .get: return .known(try lookUps.document(path, afterWrite: false))
    case .getAfter: return .known(try lookUps.document(path, afterWrite: true))
    case .exists: return .known(.bool(try lookUps.document(path, afterWrite: false) != .null))
    case .existsAfter: return .known(.bool(try lookUps.document(path, afterWrite: true) != .null))
    }
  }

  private mutating func map(_ entries: [(key: Expression, value: Expression)]) throws -> Term {
    let keys = try terms(entries.map(\.key))
    let values = try terms(entries.map(\.value))
    return try Term.combining(keys + values) { all in
      var map: [String: RuleValue] = [:]
      for index in keys.indices { map[try all[index].string()] = all[keys.count + index] }
      return .map(map)
    }
  }

  private mutating func path(_ parts: [Expression.PathPart]) throws -> Term {
    var terms: [Term] = []
    for part in parts {
      switch part {
      case .literal(let segment): terms.append(.known(.path([segment])))
      case .interpolation(let expression): terms.append(try evaluate(expression))
      }
    }
    return try Term.combining(terms) { values in
      .path(
        try values.flatMap { value -> [String] in
          // The value of a `{name=**}` is a path already.
          if case .path(let segments) = value { return segments }
          return [try value.string().asPathSegment()]
        })
    }
  }
}

extension RuleReason {
  init(_ position: SourcePosition, _ message: String) {
    self.init(line: position.line, column: position.column, message: message)
  }
}
