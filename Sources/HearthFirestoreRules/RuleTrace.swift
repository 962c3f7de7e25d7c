/// How a decision was made: the value of each expression, and the documents that were looked up.
///
/// A class, because the evaluator of each file writes to it. It stays with the request that it explains,
/// and is bounded in expressions and in the length of each value.
package final class RuleTrace {
  private static let longestValue = 200

  /// A part of the file; lines and columns begin with 1, columns count Unicode scalars.
  package struct Range: Sendable, Equatable {
    package let line: Int
    package let column: Int
    package let endLine: Int
    /// After the last character.
    package let endColumn: Int

    package init(line: Int, column: Int, endLine: Int, endColumn: Int) {
      (self.line, self.column) = (line, column)
      (self.endLine, self.endColumn) = (endLine, endColumn)
    }
  }

  package struct Node: Sendable {
    package enum Outcome: Sendable, Equatable {
      case value(String, type: String)
      /// A query leaves it open.
      case open(String)
      case failure(String)
      case notEvaluated
    }

    package let range: Range
    package let outcome: Outcome
    /// In the order of the file; after them the expressions of the function that it called.
    package let children: [Node]
  }

  package struct Allow: Sendable {
    /// The index of the file.
    package let part: Int
    package let range: Range
    package let isGranted: Bool
    package let reason: RuleReason?
    /// Nil for an `allow` without a condition.
    package let condition: Node?
  }

  package struct Read: Sendable {
    /// `get`, `exists`, `getAfter` or `existsAfter`.
    package let kind: String
    package let path: String
    package let isFound: Bool
    package let line: Int
  }

  /// Those that were tried, in their order.
  package private(set) var allows: [Allow] = []
  package private(set) var reads: [Read] = []
  var part = 0
  private var levels: [[Node]] = []
  private var count = 0
  private let mostNodes: Int

  /// - Parameter mostNodes: how many expressions are taken down.
  package init(mostNodes: Int = 400) { self.mostNodes = mostNodes }

  func begin() { levels = [[]] }

  func end(_ allow: AllowStatement, isGranted: Bool, reason: RuleReason?) {
    allows.append(
      Allow(
        part: part, range: Range(allow.span), isGranted: isGranted, reason: reason,
        condition: levels.first?.first))
    levels = []
  }

  func add(_ read: Read) {
    if reads.count < mostNodes { reads.append(read) }
  }

  func enter() { levels.append([]) }

  func leave(_ expression: Expression, result: Result<Term, EvaluationError>) {
    guard let inner = levels.popLast(), !levels.isEmpty, !expression.isLiteral else { return }
    guard count < mostNodes else { return }
    count += 1
    let own = expression.children.filter { !$0.isLiteral }.map { child in
      inner.first { $0.range == Range(child.span) } ?? Node(notEvaluated: child)
    }
    let called = inner.filter { node in !own.contains { $0.range == node.range } }
    levels[levels.count - 1].append(
      Node(
        range: Range(expression.span), outcome: Self.outcome(result), children: own + called))
  }

  private static func outcome(_ result: Result<Term, EvaluationError>) -> Node.Outcome {
    switch result {
    case .success(.known(let value)):
      .value(value.description(limit: longestValue), type: value.type.rawValue)
    case .success(let term): .open(term.description(limit: longestValue))
    case .failure(let error): .failure(error.message)
    }
  }
}

extension RuleTrace.Range {
  init(_ span: SourceSpan) {
    self.init(
      line: span.start.line, column: span.start.column, endLine: span.end.line,
      endColumn: span.end.column)
  }
}

extension RuleTrace.Node {
  fileprivate init(notEvaluated expression: Expression) {
    self.init(range: RuleTrace.Range(expression.span), outcome: .notEvaluated, children: [])
  }
}

extension Expression {
  fileprivate var isLiteral: Bool { if case .literal = kind { true } else { false } }
}
