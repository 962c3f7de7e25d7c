/// Operators with three outcomes, where a failure or something unknown need not matter.
extension Evaluator {
  /// `&&` (decided by false) and `||` (decided by true). One deciding operand is enough, also if
  /// operands before it fail or are unknown.
  mutating func chain(_ parts: [Expression], decidedBy decision: Bool) throws -> Term {
    var failure: EvaluationError?
    var isUnknown = false
    for (index, part) in parts.enumerated() {
      do {
        // The node itself is counted already; the others of the chain are not.
        if index > 0 { try count(index > 1 ? 2 : 1) }
        let value = try truth(of: try evaluate(part), at: part)
        if value == decision { return .known(.bool(decision)) }
        if value == nil { isUnknown = true }
      } catch let error as EvaluationError where !error.exceedsLimit {
        failure = failure ?? error
      }
    }
    if isUnknown { return .unknown }
    if let failure { throw failure }
    return .known(.bool(!decision))
  }

  /// Nil if it may be either, or fail.
  private func truth(of term: Term, at expression: Expression) throws -> Bool? {
    guard case .known(let value) = term else { return nil }
    do { return try value.bool() } catch var error as EvaluationError {
      error.position = expression.position
      throw error
    }
  }

  mutating func conditional(
    _ condition: Expression, then: Expression, otherwise: Expression
  ) throws -> Term {
    let term = try evaluate(condition)
    try count()
    if let isTrue = try truth(of: term, at: condition) {
      return try evaluate(isTrue ? then : otherwise)
    }
    // Either way, a result only if there is one each time. A condition without candidates may fail.
    guard let conditions = term.candidates, conditions.allSatisfy({ $0.type == .bool }),
      let one = try possible(then), let other = try possible(otherwise)
    else { return .unknown }
    return Term(oneOf: one + other)
  }

  private mutating func possible(_ expression: Expression) throws -> [RuleValue]? {
    do { return try evaluate(expression).candidates } catch let error as EvaluationError
      where !error.exceedsLimit
    {
      return nil
    }
  }

  func typeTest(_ term: Term, test: TypeTest) throws -> Term {
    switch term {
    case .document: return .known(.bool(test.accepts(.map)))
    case .field(let field):
      guard let types = knowledge.types(of: field) else { return .unknown }
      return Term(oneOf: types.map { .bool(test.accepts($0)) })
    case .keys: return .known(.bool(test.accepts(.list)))
    default: return try Term.combining([term]) { .bool(test.accepts($0[0].type)) }
    }
  }

  func binary(_ operation: BinaryOperator, left: Term, right: Term) throws -> Term {
    switch (left, right) {
    case (.field(let field), .known(let value)):
      return decided(knowledge.compare(field, operation: operation, to: value))
    case (.known(let value), .field(let field)):
      if operation == .membership { return decided(knowledge.field(field, contains: value)) }
      guard let mirrored = operation.mirrored else { return .unknown }
      return decided(knowledge.compare(field, operation: mirrored, to: value))
    case (.known(.string(let key)), .keys(let field)) where operation == .membership:
      return knowledge.exists(field + [key]) ? .known(.bool(true)) : .unknown
    case (.document, .known(.null)), (.known(.null), .document):
      // A query returns documents that exist.
      return operation == .equal || operation == .notEqual
        ? .known(.bool(operation == .notEqual)) : .unknown
    default:
      return try Term.combining([left, right]) {
        try operation.apply($0[0], right: $0[1], budget: budget)
      }
    }
  }

  private func decided(_ outcome: Bool?) -> Term {
    outcome.map { .known(.bool($0)) } ?? .unknown
  }
}

extension BinaryOperator {
  /// The operator that means the same with its operands exchanged.
  fileprivate var mirrored: BinaryOperator? {
    switch self {
    case .equal, .notEqual: self
    case .comparison(let comparison): .comparison(comparison.mirrored)
    case .add, .subtract, .multiply, .divide, .remainder, .membership: nil
    }
  }
}
