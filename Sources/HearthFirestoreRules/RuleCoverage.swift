import Synchronization

/// How often each expression of a rules file was evaluated, and what came out. A ruleset owns it, and
/// requests of all threads count in it.
package final class RuleCoverage: Sendable {
  /// Values other than true and false count by their type: what users keep in documents is nobody's
  /// business here, and a report stays small.
  package enum Outcome: Sendable, Hashable {
    case bool(Bool)
    case other(type: String)
    case failure
    /// A query whose conditions leave it open.
    case undecided
  }

  /// An expression, or the `allow` that is above one, and what is below it.
  package struct Node: Sendable {
    /// 1-based.
    package let line: Int
    package let column: Int
    package let range: RuleTrace.Range
    package let isAllow: Bool
    package let counts: [(outcome: Outcome, count: Int)]
    package let children: [Node]
  }

  private struct State {
    var counts: [SourcePosition: [Outcome: Int]] = [:]
    var era = RuleCoverage.nextEra()
  }

  /// Of this process.
  private static let lastEra = Mutex(0)

  private static func nextEra() -> Int {
    lastEra.withLock { last in
      last += 1
      return last
    }
  }

  private let state = Mutex(State())

  /// Another number for other rules, and after each reset.
  var era: Int { state.withLock(\.era) }

  /// - Returns: the era in which they count.
  func add(_ seen: [(SourcePosition, Outcome)]) -> Int {
    state.withLock { state in
      for (position, outcome) in seen {
        state.counts[position, default: [:]][outcome, default: 0] += 1
      }
      return state.era
    }
  }

  func reset() { state.withLock { $0 = State() } }

  /// One node for each `allow` and for each line of a function, in the order of the file.
  func report(on declarations: Declarations) -> [Node] {
    let counts = state.withLock(\.counts)
    let allows = declarations.blocks.flatMap(\.allows).map { allow in
      Self.node(
        allow.position, span: allow.span, isAllow: true, counts: counts,
        children: (allow.condition.map { [$0] }) ?? [])
    }
    let functions = declarations.functions.flatMap { function in
      (function.bindings + [function.result].compactMap(\.self)).filter(\.isCounted)
        .map { Self.node($0, counts: counts) }
    }
    return (allows + functions).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  private static func node(
    _ expression: Expression, counts: [SourcePosition: [Outcome: Int]]
  ) -> Node {
    node(expression.position, span: expression.span, counts: counts, children: expression.children)
  }

  private static func node(
    _ position: SourcePosition, span: SourceSpan, isAllow: Bool = false,
    counts: [SourcePosition: [Outcome: Int]], children: [Expression]
  ) -> Node {
    Node(
      line: position.line, column: position.column, range: RuleTrace.Range(span),
      isAllow: isAllow,
      counts: (counts[position] ?? [:]).map { (outcome: $0.key, count: $0.value) }
        .sorted { ($1.count, $0.outcome.order) < ($0.count, $1.outcome.order) },
      children: children.filter(\.isCounted).map { node($0, counts: counts) })
  }
}

extension RuleCoverage.Outcome {
  init(_ term: Term) {
    self =
      switch term {
      case .known(.bool(let value)): .bool(value)
      case .known(let value): .other(type: value.type.rawValue)
      case .oneOf, .document, .field, .keys, .unknown: .undecided
      }
  }

  fileprivate var order: String {
    switch self {
    case .bool(let value): value ? "0" : "1"
    case .other(let type): "2" + type
    case .failure: "3"
    case .undecided: "4"
    }
  }
}

extension Expression {
  /// Values and names say nothing that is worth counting.
  var isCounted: Bool {
    switch kind {
    case .literal, .variable, .missing: false
    default: true
    }
  }

  var children: [Expression] {
    switch kind {
    case .literal, .variable, .missing: []
    case .list(let elements), .all(let elements), .any(let elements): elements
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .path(let parts):
      parts.compactMap { if case .interpolation(let expression) = $0 { expression } else { nil } }
    case .member(let value, _), .typeTest(let value, _): [value]
    case .index(let value, let index): [value, index]
    case .slice(let value, let start, let end): [value, start, end].compactMap(\.self)
    case .not(let operand), .negate(let operand): [operand]
    case .binary(_, let left, let right): [left, right]
    case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
    case .method(let value, _, let arguments): [value] + arguments
    case .builtin(_, let arguments), .call(_, let arguments): arguments
    }
  }
}
