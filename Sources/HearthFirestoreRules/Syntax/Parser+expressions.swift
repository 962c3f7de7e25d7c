/// From loose to tight: `?:`, `||`, `&&`, `in is`, `== !=`, `< <= > >=`, `+ -`, `* / %`,
/// unary `! -`, and what follows a value: `.name`, `.method()`, `[index]`, `[from:to]`.
///
/// The reference names `in` and `is` before `==`; Google's compiler reads them so.
extension Parser {
  mutating func expression() throws(RuleSyntaxError) -> Expression {
    try nest()
    let condition = try binary(.or)
    let result = try conditional(on: condition)
    nesting -= 1
    return result
  }

  /// A node over its children, unless the tree becomes too high.
  func node(
    _ kind: Expression.Kind, at position: SourcePosition, from start: SourcePosition? = nil,
    over children: [Expression]
  ) throws(RuleSyntaxError) -> Expression {
    let height = (children.lazy.map(\.height).max() ?? 0) + 1
    if height > Self.maximumComplexity { throw Self.tooComplex(position) }
    let first = children.first.map { min($0.span.start, position) } ?? position
    return expression(kind, at: position, from: start ?? first, height: height)
  }

  /// An expression that has just been read to its end.
  func expression(
    _ kind: Expression.Kind, at position: SourcePosition, from start: SourcePosition? = nil,
    height: Int = 1
  ) -> Expression {
    Expression(
      position: position, span: SourceSpan(start: start ?? position, end: lastEnd),
      height: height, kind: kind)
  }

  private mutating func conditional(on condition: Expression) throws(RuleSyntaxError) -> Expression
  {
    let position = token.position
    guard try skip(.question) else { return condition }
    let then = try expression()
    try expect(.colon)
    let otherwise = try expression()
    return try node(
      .conditional(condition, then: then, otherwise: otherwise), at: position,
      over: [condition, then, otherwise])
  }

  private enum Precedence: Int {
    case or, and, membership, equality, relation, sum, product

    var tighter: Precedence? { Precedence(rawValue: rawValue + 1) }
  }

  /// What is between two operands.
  private enum Infix {
    case or
    case and
    case typeTest
    case binary(BinaryOperator)

    /// Nil for other tokens.
    init?(_ token: Token) {
      switch token.kind {
      case .identifier("in"): self = .binary(.membership)
      case .identifier("is"): self = .typeTest
      case .symbol(.or): self = .or
      case .symbol(.and): self = .and
      case .symbol(.equal): self = .binary(.equal)
      case .symbol(.notEqual): self = .binary(.notEqual)
      case .symbol(.less): self = .binary(.comparison(.less))
      case .symbol(.lessOrEqual): self = .binary(.comparison(.lessOrEqual))
      case .symbol(.greater): self = .binary(.comparison(.greater))
      case .symbol(.greaterOrEqual): self = .binary(.comparison(.greaterOrEqual))
      case .symbol(.plus): self = .binary(.add)
      case .symbol(.minus): self = .binary(.subtract)
      case .symbol(.star): self = .binary(.multiply)
      case .symbol(.slash): self = .binary(.divide)
      case .symbol(.percent): self = .binary(.remainder)
      case .identifier, .int, .float, .string, .bytes, .symbol, .end: return nil
      }
    }

    var precedence: Precedence {
      switch self {
      case .or: .or
      case .and: .and
      case .typeTest, .binary(.membership): .membership
      case .binary(.equal), .binary(.notEqual): .equality
      case .binary(.comparison): .relation
      case .binary(.add), .binary(.subtract): .sum
      case .binary(.multiply), .binary(.divide), .binary(.remainder): .product
      }
    }
  }

  /// All operators that bind at least as tightly as `level`.
  private mutating func binary(_ level: Precedence) throws(RuleSyntaxError) -> Expression {
    var left = try unary()
    while let infix = Infix(token), infix.precedence.rawValue >= level.rawValue {
      left = try join(left, infix: infix)
    }
    return left
  }

  private mutating func join(
    _ left: Expression, infix: Infix
  ) throws(RuleSyntaxError) -> Expression {
    let position = token.position
    let kind = token.kind
    if kind == .symbol(.slash), lexer.continuesPath {
      throw error("A division needs a blank after '/': what follows reads as a path.")
    }
    try advance()
    switch infix {
    case .or, .and: return try chain(left, kind: kind, precedence: infix.precedence, at: position)
    case .typeTest: return try node(.typeTest(left, try typeName()), at: position, over: [left])
    case .binary(let operation):
      let right = try operand(of: infix.precedence)
      return try node(.binary(operation, left, right), at: position, over: [left, right])
    }
  }

  /// A whole chain of `&&` or of `||`.
  private mutating func chain(
    _ first: Expression, kind: Token.Kind, precedence: Precedence, at position: SourcePosition
  ) throws(RuleSyntaxError) -> Expression {
    var parts = [first, try operand(of: precedence)]
    while token.kind == kind {
      try advance()
      parts.append(try operand(of: precedence))
    }
    // As high as if each operator were a node of its own.
    let height = parts.enumerated().map { index, part in
      part.height + parts.count - max(index, 1)
    }
    guard let highest = height.max(), highest <= Self.maximumComplexity else {
      throw Self.tooComplex(position)
    }
    return expression(
      kind == .symbol(.or) ? .any(parts) : .all(parts), at: position, from: first.span.start,
      height: highest)
  }

  /// What is to the right of an operator.
  private mutating func operand(of precedence: Precedence) throws(RuleSyntaxError) -> Expression {
    if let tighter = precedence.tighter { try binary(tighter) } else { try unary() }
  }

  private mutating func typeName() throws(RuleSyntaxError) -> TypeTest {
    guard case .identifier(let name) = token.kind, let test = TypeTest(named: name) else {
      throw error(
        "An unsupported type identifier was used with the 'is' operator. "
          + "Received \(token.description). Expected one of "
          + TypeTest.names.joined(separator: ","))
    }
    try advance()
    return test
  }

  private mutating func unary() throws(RuleSyntaxError) -> Expression {
    let position = token.position
    guard token.kind == .symbol(.not) || token.kind == .symbol(.minus) else {
      return try postfix(of: try primary())
    }
    let isNot = token.kind == .symbol(.not)
    try nest()
    try advance()
    if !isNot {
      if token.kind == .symbol(.minus) { throw error("an expression is expected, found '-'") }
      if token.kind == .int(UInt64(Int64.max) + 1) {
        nesting -= 1
        return try postfix(of: try literal(.int(.min)))
      }
    }
    let operand = try unary()
    nesting -= 1
    return try node(isNot ? .not(operand) : .negate(operand), at: position, over: [operand])
  }

  private mutating func postfix(of primary: Expression) throws(RuleSyntaxError) -> Expression {
    var value = primary
    while true {
      if try skip(.dot) {
        value = try member(of: value)
      } else if token.kind == .symbol(.leftBracket) {
        value = try subscripted(value)
      } else {
        return value
      }
    }
  }

  private mutating func member(of value: Expression) throws(RuleSyntaxError) -> Expression {
    let position = token.position
    let name = try identifier("the name of a field or method")
    if name == "service" || name == "rules_version" {
      throw RuleSyntaxError(
        position, message: "'\(name)' is a keyword; write ['\(name)'] for the field")
    }
    guard token.kind == .symbol(.leftParen) else {
      return try node(.member(of: value, name: name), at: position, over: [value])
    }
    let arguments = try self.arguments()
    try checkMethod(name, of: value, arguments: arguments, at: position)
    return try node(
      .method(of: value, name: name, arguments: arguments), at: position,
      over: [value] + arguments)
  }

  private mutating func subscripted(_ value: Expression) throws(RuleSyntaxError) -> Expression {
    let position = token.position
    try expect(.leftBracket)
    let index = token.kind == .symbol(.colon) ? nil : try expression()
    if try skip(.colon) {
      let end = token.kind == .symbol(.rightBracket) ? nil : try expression()
      try expect(.rightBracket)
      return try node(
        .slice(of: value, from: index, to: end), at: position,
        over: [value, index, end].compactMap(\.self))
    }
    try expect(.rightBracket)
    guard let index else { throw error("an index is expected, found \(token.description)") }
    return try node(.index(of: value, index), at: position, over: [value, index])
  }

  /// The arguments of a call with their parentheses.
  mutating func arguments() throws(RuleSyntaxError) -> [Expression] {
    try expect(.leftParen)
    return try expressions(until: .rightParen)
  }

  private mutating func expressions(until end: Symbol) throws(RuleSyntaxError) -> [Expression] {
    var values: [Expression] = []
    guard try !skip(end) else { return values }
    while true {
      values.append(try expression())
      guard try skip(.comma) else { break }
      // A comma may stand after the last.
      if token.kind == .symbol(end) { break }
    }
    try expect(end)
    return values
  }

  private mutating func primary() throws(RuleSyntaxError) -> Expression {
    let position = token.position
    switch token.kind {
    case .int(let value):
      guard let value = Int64(exactly: value) else {
        throw error("Invalid number literal \(value).")
      }
      return try literal(.int(value))
    case .float(let value): return try literal(.float(value))
    case .string(let value): return try literal(.string(value))
    case .bytes(let value): return try literal(.bytes(value))
    case .identifier("null"): return try literal(.null)
    case .identifier("true"): return try literal(.bool(true))
    case .identifier("false"): return try literal(.bool(false))
    case .identifier(let name) where !Token.keywords.contains(name):
      try advance()
      return try named(name, at: position)
    case .symbol(.slash): return try pathLiteral()
    case .symbol(.leftParen):
      try advance()
      let inner = try expression()
      try expect(.rightParen)
      let height = inner.height + 1
      if height > Self.maximumComplexity { throw Self.tooComplex(position) }
      return expression(inner.kind, at: inner.position, from: position, height: height)
    case .symbol(.leftBracket):
      try advance()
      let elements = try expressions(until: .rightBracket)
      return try node(.list(elements), at: position, over: elements)
    case .symbol(.leftBrace): return try mapLiteral()
    default: throw error("an expression is expected, found \(token.description)")
    }
  }

  private mutating func literal(_ value: RuleValue) throws(RuleSyntaxError) -> Expression {
    let position = token.position
    try advance()
    return expression(.literal(value), at: position)
  }

  private mutating func mapLiteral() throws(RuleSyntaxError) -> Expression {
    let position = token.position
    try expect(.leftBrace)
    var entries: [(key: Expression, value: Expression)] = []
    if try !skip(.rightBrace) {
      repeat {
        let key = try expression()
        try expect(.colon)
        entries.append((key, try expression()))
        // A comma may stand after the last.
      } while try skip(.comma) && token.kind != .symbol(.rightBrace)
      try expect(.rightBrace)
    }
    return try node(.map(entries), at: position, over: entries.flatMap { [$0.key, $0.value] })
  }
}
