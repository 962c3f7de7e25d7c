/// What follows a value: fields, elements, methods.
extension Evaluator {
  func member(_ name: String, of term: Term) throws -> Term {
    switch term {
    case .document:
      switch name {
      case "data": return .field([])
      case "id": return knowledge.documentID
      case "__name__": return knowledge.documentName
      default: return .unknown
      }
    case .field(let field): return knowledge.value(of: field + [name])
    default: return try Term.combining([term]) { try $0[0].member(name) }
    }
  }

  func element(_ index: Term, of term: Term) throws -> Term {
    switch (term, index) {
    case (.document, .known(.string(let name))), (.field, .known(.string(let name))):
      try member(name, of: term)
    default:
      try Term.combining([term, index]) { try $0[0].element(at: $0[1], budget) }
    }
  }

  func method(_ name: String, of term: Term, arguments: [Term]) throws -> Term {
    if case .field(let field) = term { return queried(name, of: field, arguments: arguments) }
    if case .keys(let field) = term { return queriedKeys(name, of: field, arguments: arguments) }
    return try Term.combining([term] + arguments) { values in
      guard let method = Builtin.method(name, of: values[0].type) else {
        throw EvaluationError("\(values[0].type.rawValue) has no method '\(name)'")
      }
      guard method.arity.contains(arguments.count) else {
        let expected = method.arity.description(of: "argument")
        throw EvaluationError("'\(name)' takes \(expected), found \(arguments.count)")
      }
      return try method.body(values, budget)
    }
  }

  /// The methods that say something of a field although its value is not known.
  private func queried(_ name: String, of field: [String], arguments: [Term]) -> Term {
    switch (name, arguments.first) {
    case ("keys", nil) where knowledge.types(of: field) == [.map]: return .keys(field)
    case ("get", .known(let key)):
      let keys = if case .list(let keys) = key { keys } else { [key] }
      let path = field + keys.compactMap { try? $0.string() }
      let isField = !keys.isEmpty && path.count == field.count + keys.count
      return isField && knowledge.exists(path) ? knowledge.value(of: path) : .unknown
    case ("hasAny", .known(let values)):
      return knowledge.field(field, hasAnyOf: values) ? .known(.bool(true)) : .unknown
    case ("hasAll", .known(let values)):
      return knowledge.field(field, hasAllOf: values) ? .known(.bool(true)) : .unknown
    default: return .unknown
    }
  }

  /// Of the keys of a map those are known of which the query says something.
  private func queriedKeys(_ name: String, of field: [String], arguments: [Term]) -> Term {
    guard case .known(.list(let keys))? = arguments.first, arguments.count == 1 else {
      return .unknown
    }
    let exist = keys.map { (try? $0.string()).map { knowledge.exists(field + [$0]) } ?? false }
    switch name {
    case "hasAll": return exist.allSatisfy(\.self) ? .known(.bool(true)) : .unknown
    case "hasAny": return exist.contains(true) ? .known(.bool(true)) : .unknown
    default: return .unknown
    }
  }
}

extension RuleValue {
  fileprivate func member(_ name: String) throws -> RuleValue {
    switch self {
    case .map(let fields):
      guard let value = fields[name] else {
        throw EvaluationError("'\(name)' is undefined")
      }
      return value
    case .null: throw EvaluationError("null has no member '\(name)'")
    default: throw EvaluationError("\(type.rawValue) has no member '\(name)'")
    }
  }

  fileprivate func element(at index: RuleValue, _ budget: RuleBudget) throws -> RuleValue {
    // To find a place in a text that is not ASCII.
    if case .string = self { try budget.spend(surfaceSize / 32) }
    if case .map = self { try budget.spend(lookingUp: try index.string()) }
    return switch self {
    case .map: try member(try index.string())
    case .list(let elements): try elements.element(at: index)
    case .path(let segments): .string(try segments.element(at: index))
    case .string(let text):
      .string(String(decoding: [try text.utf16.element(at: index)], as: UTF16.self))
    default: throw EvaluationError("\(type.rawValue) has no elements")
    }
  }

  /// Without a bound, or with null, from the beginning or to the end.
  static func slice(
    _ value: RuleValue, from start: RuleValue?, to end: RuleValue?, budget: RuleBudget
  ) throws -> RuleValue {
    func index(_ bound: RuleValue?) throws -> Int? {
      try bound.flatMap { $0 == .null ? nil : try Builtin.index($0) }
    }
    let (start, end) = (try index(start), try index(end))
    switch value {
    case .list(let elements): return .list(Array(try elements.slice(from: start, to: end)))
    case .path(let segments): return .path(Array(try segments.slice(from: start, to: end)))
    case .string(let text):
      try budget.spend(value.surfaceSize / 32)
      let units = try text.utf16.slice(from: start, to: end)
      return .string(String(decoding: Array(units), as: UTF16.self))
    default: throw EvaluationError("\(value.type.rawValue) has no elements")
    }
  }
}

extension BidirectionalCollection {
  fileprivate func element(at index: RuleValue) throws -> Element {
    let index = try Builtin.index(index)
    guard 0 <= index, index < count else { throw EvaluationError("index out of range") }
    return self[self.index(startIndex, offsetBy: index)]
  }

  /// Also an empty slice begins at an element and ends after one: `'abc'[1:1]` is one, `'abc'[0:0]`
  /// and `'abc'[3:3]` are errors. Only a bound that is given is checked.
  fileprivate func slice(from start: Int?, to end: Int?) throws -> SubSequence {
    let (first, last) = (start ?? 0, end ?? count)
    guard start == nil || 0..<count ~= first, end == nil || 0 < last, first <= last, last <= count
    else { throw EvaluationError("index out of range") }
    let begin = index(startIndex, offsetBy: first)
    return self[begin..<index(begin, offsetBy: last - first)]
  }
}
