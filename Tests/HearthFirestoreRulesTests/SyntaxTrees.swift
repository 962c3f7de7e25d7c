@testable import HearthFirestoreRules

/// Says which tree the parser has made, in the words of ``Phrase/tree``.
struct SyntaxTrees {
  let declarations: Declarations

  func tree(_ expression: Expression) -> String {
    switch expression.kind {
    case .literal(let value): value.description
    case .variable(let variable): name(variable)
    case .list(let elements): "[" + trees(elements) + "]"
    case .map(let entries):
      "{" + entries.map { "\(tree($0.key)):\(tree($0.value))" }.joined(separator: " ") + "}"
    case .path(let parts): "(/ " + parts.map(part).joined(separator: " ") + ")"
    case .member(let value, let name):
      switch value.kind {
      case .variable(.request), .variable(.resource): "\(tree(value)).\(name)"
      default: "(. \(tree(value)) \(name))"
      }
    case .index(let value, let index): "([] \(trees([value, index])))"
    case .slice(let value, let from, let to):
      "([:] \(tree(value)) \(from.map(tree) ?? "_") \(to.map(tree) ?? "_"))"
    case .not(let value): "(! \(tree(value)))"
    case .negate(let value): "(- \(tree(value)))"
    case .binary(let operation, let left, let right):
      "(\(name(operation)) \(trees([left, right])))"
    case .all(let parts): "(&& \(trees(parts)))"
    case .any(let parts): "(|| \(trees(parts)))"
    case .typeTest(let value, let test): "(is \(tree(value)) \(name(test)))"
    case .conditional(let condition, let then, let otherwise):
      "(? \(trees([condition, then, otherwise])))"
    case .method(let value, let name, let arguments):
      "(.\(name) \(trees([value] + arguments)))"
    case .builtin(let builtin, let arguments): call(builtin.name, arguments: arguments)
    case .missing(let message): "(missing \(message))"
    case .call(let site, let arguments): call(declarations.calls[site].name, arguments: arguments)
    }
  }

  private func trees(_ expressions: [Expression]) -> String {
    expressions.map(tree).joined(separator: " ")
  }

  private func call(_ name: String, arguments: [Expression]) -> String {
    "(\(name)\(arguments.map { " " + tree($0) }.joined()))"
  }

  private func part(_ part: Expression.PathPart) -> String {
    switch part {
    case .literal(let text): text
    case .interpolation(let value): "$" + tree(value)
    }
  }

  private func name(_ variable: Expression.Variable) -> String {
    switch variable {
    case .request: "request"
    case .resource: "resource"
    case .wildcard(let number): "wildcard\(number)"
    case .local(let number): "local\(number)"
    }
  }

  private func name(_ operation: BinaryOperator) -> String {
    switch operation {
    case .equal: "=="
    case .notEqual: "!="
    case .comparison(.less): "<"
    case .comparison(.lessOrEqual): "<="
    case .comparison(.greater): ">"
    case .comparison(.greaterOrEqual): ">="
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    case .membership: "in"
    }
  }

  private func name(_ test: TypeTest) -> String {
    switch test {
    case .number: "number"
    case .nothing: "constraint"
    case .exactly(let type): type.rawValue
    }
  }

  // MARK: Declarations

  /// Each block that allows something, in no particular order.
  var blocks: [String] {
    declarations.blocks.map { block in
      let pattern = block.pattern.map { segment in
        switch segment {
        case .literal(let text): text
        case .single(let number): "{\(number)}"
        case .recursive(let number): "{\(number)=**}"
        }
      }
      let allows = block.allows.map { allow in
        allow.methods.map(\.rawValue).sorted().joined(separator: ",") + " if "
          + (allow.condition.map(tree) ?? "always")
      }
      return "/" + pattern.joined(separator: "/") + " " + allows.joined(separator: "; ")
    }.sorted()
  }

  var functions: [String] {
    declarations.functions.map { function in
      "\(function.name)/\(function.parameterCount) "
        + (function.bindings + [function.result].compactMap(\.self)).map(tree)
        .joined(separator: "; ")
    }
  }
}
