import HearthLimits

/// Evaluates the conditions of one request and counts what that costs.
struct Evaluator {
  static let maximumDebugNotes = 20
  static let maximumDebugLength = 1000
  /// Over all calls together: evaluation is recursive, and a stack is finite.
  static let maximumNesting = 250

  let declarations: Declarations
  let request: Term
  /// Nil where it cannot be read.
  let resource: Term?
  let knowledge: QueryKnowledge
  var lookUps: LookUps
  let answers: RuleAnswers
  /// The wildcards of the block whose `allow` is evaluated.
  var wildcards: [Int: Term] = [:]
  /// What `debug()` was given.
  private(set) var debugNotes: [RuleReason] = []
  /// What was evaluated, for the report.
  private(set) var seen: [(SourcePosition, RuleCoverage.Outcome)] = []

  let budget: RuleBudget
  /// Nil unless somebody wants to see how it came to the decision.
  let trace: RuleTrace?

  /// Of the function that is evaluated. What has failed matters only where it is read.
  private var locals: [Result<Term, EvaluationError>] = []
  private var expressions = 0
  private var nesting = 0

  init(
    _ declarations: Declarations, request: Term, resource: Term?, knowledge: QueryKnowledge,
    lookUps: LookUps, answers: RuleAnswers, budget: RuleBudget, trace: RuleTrace? = nil
  ) {
    self.trace = trace
    self.answers = answers
    self.declarations = declarations
    self.request = request
    self.resource = resource
    self.knowledge = knowledge
    self.lookUps = lookUps
    self.budget = budget
  }

  mutating func evaluate(_ expression: Expression) throws -> Term {
    nesting += 1
    defer { nesting -= 1 }
    trace?.enter()
    do {
      guard nesting <= Self.maximumNesting else {
        throw EvaluationError("nested too deeply", exceedsLimit: true)
      }
      let term = try term(of: expression)
      if expression.isCounted { note(expression.position, outcome: RuleCoverage.Outcome(term)) }
      trace?.leave(expression, result: .success(term))
      return term
    } catch var error as EvaluationError {
      if expression.isCounted { note(expression.position, outcome: .failure) }
      trace?.leave(expression, result: .failure(error))
      error.position = error.position ?? expression.position
      throw error
    }
  }

  mutating func note(_ position: SourcePosition, outcome: RuleCoverage.Outcome) {
    seen.append((position, outcome))
  }

  private mutating func term(of expression: Expression) throws -> Term {
    switch expression.kind {
    case .literal(let value):
      try count()
      return .known(value)
    case .variable(let variable):
      try count()
      return try value(of: variable)
    default:
      try count()
      return try compound(expression)
    }
  }

  /// Counts an expression, as the official emulator does: each value and name is one, and the second
  /// operand of `&&`, `||` and `?:` costs one more.
  mutating func count(_ number: Int = 1) throws {
    expressions += number
    if expressions > Limit.expressions.value {
      throw EvaluationError(Limit.expressions.refusal(), exceedsLimit: true)
    }
    try budget.spend(10 * number)
  }

  private func value(of variable: Expression.Variable) throws -> Term {
    switch variable {
    case .request: return request
    case .resource:
      guard let resource else { throw EvaluationError("'resource' has no document") }
      return resource
    case .wildcard(let index): return wildcards[index] ?? .unknown
    case .local(let index): return try locals[index].get()
    }
  }

  private mutating func compound(_ expression: Expression) throws -> Term {
    switch expression.kind {
    case .literal, .variable: preconditionFailure("evaluated by term(of:)")
    case .missing(let message): throw EvaluationError(message)
    case .list(let elements):
      return try combining(try terms(elements)) { values, _ in .list(values) }
    case .map(let entries): return try map(entries)
    case .path(let parts): return try path(parts)
    case .member(let value, let name): return try member(name, of: try evaluate(value))
    case .index(let value, let index): return try element(try evaluate(index), of: evaluate(value))
    case .slice(let value, let start, let end):
      return try combining(try terms([value, start, end].compactMap(\.self))) { values, budget in
        try RuleValue.slice(
          values[0], from: start == nil ? nil : values[1], to: end == nil ? nil : values.last,
          budget: budget)
      }
    case .not(let operand):
      return try combining([try evaluate(operand)]) { values, _ in .bool(try !values[0].bool()) }
    case .negate(let operand):
      return try combining([try evaluate(operand)]) { values, _ in try values[0].negated() }
    case .binary(let operation, let left, let right):
      return try binary(operation, left: try evaluate(left), right: try evaluate(right))
    case .all(let parts): return try chain(parts, decidedBy: false)
    case .any(let parts): return try chain(parts, decidedBy: true)
    case .typeTest(let value, let test):
      // The type counts too.
      try count()
      return try typeTest(try evaluate(value), test: test)
    case .conditional(let condition, let then, let otherwise):
      return try conditional(condition, then: then, otherwise: otherwise)
    case .method(let value, let name, let arguments):
      return try method(name, of: try evaluate(value), arguments: try terms(arguments))
    case .builtin(let builtin, let arguments): return try apply(builtin, arguments: arguments)
    case .call(let index, let arguments):
      return try call(declarations.calls[index], arguments: arguments, at: expression.position)
    }
  }

  /// A value made of others, which are paid for.
  func combining(
    _ terms: [Term], body: ([RuleValue], RuleBudget) throws -> RuleValue
  ) throws -> Term {
    try Term.combining(terms) { values in
      let result = try body(values, budget)
      try budget.spend(making: result)
      return result
    }
  }

  private mutating func terms(_ expressions: [Expression]) throws -> [Term] {
    var terms: [Term] = []
    for expression in expressions { terms.append(try evaluate(expression)) }
    return terms
  }

  private mutating func call(
    _ call: CallSite, arguments: [Expression], at position: SourcePosition
  ) throws -> Term {
    switch call.target {
    case .missing(let message): throw EvaluationError(message)
    case .function(let index): return try run(declarations.functions[index], arguments: arguments)
    case .builtin(let builtin): return try apply(builtin, arguments: arguments)
    case .lookUp(let lookUp):
      let paths = try terms(arguments)
      return try self.lookUp(lookUp, at: paths[0], position: position)
    case .debug:
      let values = try terms(arguments)
      if debugNotes.count < Self.maximumDebugNotes {
        let text = values[0].description(limit: Self.maximumDebugLength)
        debugNotes.append(RuleReason(position, message: "debug: \(text)"))
      }
      return values[0]
    }
  }

  private mutating func apply(_ builtin: Builtin, arguments: [Expression]) throws -> Term {
    guard answers.knows(builtin) else {
      throw EvaluationError("production does not know the function \(builtin.name)")
    }
    let budget = budget
    return try Term.combining(try terms(arguments)) { try builtin.body($0, budget) }
  }

  private mutating func run(
    _ function: FunctionDeclaration, arguments: [Expression]
  ) throws -> Term {
    guard let result = function.result else {
      preconditionFailure("the parser leaves no function without a result")
    }
    var inner: [Result<Term, EvaluationError>] = []
    for argument in arguments { inner.append(try attempt(argument)) }
    let callersLocals = locals
    defer { locals = callersLocals }
    locals = inner
    for binding in function.bindings {
      try count()
      locals.append(try attempt(binding))
    }
    return try evaluate(result)
  }

  /// What fails by a limit fails the whole request.
  private mutating func attempt(
    _ expression: Expression
  ) throws -> Result<Term, EvaluationError> {
    do { return .success(try evaluate(expression)) } catch let error as EvaluationError
      where !error.exceedsLimit
    {
      return .failure(error)
    }
  }

  private mutating func lookUp(
    _ lookUp: CallSite.LookUp, at path: Term, position: SourcePosition
  ) throws -> Term {
    guard case .known(let path) = path else { return .unknown }
    try budget.spend(100 + path.surfaceSize)
    let isAfter = lookUp == .getAfter || lookUp == .existsAfter
    let document = try lookUps.document(path, afterWrite: isAfter, budget: budget)
    trace?.add(
      RuleTrace.Read(
        kind: lookUp.rawValue, path: path.description(limit: 500), isFound: document != nil,
        line: position.line))
    switch lookUp {
    case .exists, .existsAfter: return .known(.bool(document != nil))
    case .get, .getAfter:
      if let document { return .known(document) }
      guard answers.getsNull else { throw EvaluationError("the document does not exist") }
      return .known(.null)
    }
  }

  private mutating func map(_ entries: [(key: Expression, value: Expression)]) throws -> Term {
    let keys = try terms(entries.map(\.key))
    let values = try terms(entries.map(\.value))
    return try combining(keys + values) { all, budget in
      var map: [String: RuleValue] = [:]
      for index in keys.indices {
        let key = try all[index].string()
        try budget.spend(lookingUp: key)
        map[key] = all[keys.count + index]
      }
      return .map(map)
    }
  }

  private mutating func path(_ parts: [Expression.PathPart]) throws -> Term {
    var terms: [Term] = []
    for part in parts {
      switch part {
      case .literal(let segment):
        try count()
        terms.append(.known(.path([segment])))
      case .interpolation(let expression): terms.append(try evaluate(expression))
      }
    }
    return try combining(terms) { values, _ in
      .path(
        try values.flatMap { value -> [String] in
          // The value of a `{name=**}` is a path already.
          if case .path(let segments) = value { return segments }
          return [try Builtin.text(value)]
        })
    }
  }
}

extension RuleReason {
  init(_ position: SourcePosition, message: String) {
    self.init(line: position.line, column: position.column, message: message)
  }
}
