import HearthFirestoreRules

/// Which part of a condition made it false, and that in one sentence with the values.
struct RefusalReason {
  /// The part, as a whole expression.
  let guilty: RuleTrace.Node
  let sentence: String

  /// `text` is the source of a range.
  init(_ condition: RuleTrace.Node, text: (RuleTrace.Range) -> String) {
    guilty = Self.guilty(condition, text: text)
    sentence = Self.sentence(guilty, text: text)
  }

  /// The first part that is not true in a chain of `&&`, or the first that was tried in one of `||`;
  /// of a function the expression that it returns.
  private static func guilty(
    _ node: RuleTrace.Node, text: (RuleTrace.Range) -> String
  ) -> RuleTrace.Node {
    guard operation(of: node, text).map(isComparison) != true else { return node }
    // The values of a function's `let`s come before what it returns.
    let failing = node.children.filter { $0.isError || $0.isFalse }
    let isChain = ["&&", "||"].contains(operation(of: node, text))
    guard let next = failing.first(where: \.isError) ?? (isChain ? failing.first : failing.last)
    else { return node }
    return guilty(next, text: text)
  }

  private static func isComparison(_ operation: String) -> Bool {
    ["==", "!=", "<", "<=", ">", ">=", "in", "is"].contains(operation)
  }

  /// What is between the two parts of an expression.
  private static func operation(
    of node: RuleTrace.Node, _ text: (RuleTrace.Range) -> String
  ) -> String? {
    guard node.children.count == 2 else { return nil }
    let (left, right) = (node.children[0].range, node.children[1].range)
    let between = text(
      RuleTrace.Range(
        line: left.endLine, column: left.endColumn, endLine: right.line, endColumn: right.column))
    let marks = between.filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }
    return marks.isEmpty ? nil : marks
  }

  private static func sentence(
    _ node: RuleTrace.Node, text: (RuleTrace.Range) -> String
  ) -> String {
    let whole = text(node.range)
    if case .failure(let message) = node.outcome { return "`\(whole)`: \(message)" }
    let parts = node.children.compactMap { part -> String? in
      guard case .value(let value, _) = part.outcome else { return nil }
      let source = text(part.range)
      return source == value || source == value.replacing("\"", with: "'")
        ? nil : "`\(source)` is \(value)"
    }
    // Literals are not among the parts.
    guard let first = parts.first else { return "`\(whole)` is false" }
    let isPair = operation(of: node, text).map(isComparison) == true && parts.count == 2
    return isPair ? parts.joined(separator: ", ") : "\(first), and `\(whole)` is wanted"
  }
}

extension RuleTrace.Node {
  fileprivate var isFalse: Bool {
    if case .value("false", _) = outcome { true } else { false }
  }

  fileprivate var isError: Bool {
    if case .failure = outcome { true } else { false }
  }
}
