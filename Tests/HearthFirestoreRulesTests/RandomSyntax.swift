import HearthCrypto
import HearthTestSupport

/// A piece of the rules language in three forms: as somebody may have written it, with every
/// parenthesis that there can be, and as the tree that it stands for.
struct Phrase {
  let text: String
  let full: String
  let tree: String
  let level: Level

  /// How tightly it holds together, from loose to tight.
  enum Level: Int, Comparable {
    /// Paths are here too: what follows one without a blank would be a part of it.
    case conditional, or, and, membership, equality, relation, sum, product, unary, primary

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    var tighter: Level { Level(rawValue: rawValue + 1) ?? .primary }
  }
}

/// What can be named at one place.
struct Surroundings {
  struct Function {
    let name: String
    let parameters: Int
    let number: Int
  }

  /// By name: the node that the parser makes of it.
  var variables = ["request.auth": "request.auth", "resource.data": "resource.data"]
  var functions: [Function] = []
}

/// Writes random expressions. Which node each of them is, it knows without a parser.
struct RandomSyntax {
  var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { random.pick(elements) }

  mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { random.number(range) }

  /// What may stand between two tokens.
  mutating func gap() -> String {
    chance(60) ? "" : pick([" ", "  ", "\n", "\t", " /* ) */ ", " // }\n", "\r\n"])
  }

  /// Beside words there must be something.
  mutating func blank() -> String { " " + gap() }

  // MARK: Expressions

  mutating func expression(_ depth: Int, around: Surroundings) -> Phrase {
    guard depth > 0 else { return leaf(around) }
    let operators: [(Phrase.Level, [String])] = [
      (.equality, ["==", "!="]), (.relation, ["<", "<=", ">", ">="]), (.sum, ["+", "-"]),
      (.product, ["*", "/", "%"]),
    ]
    switch number(0...13) {
    case 0: return leaf(around)
    case 1, 2, 3:
      let (level, symbols) = pick(operators)
      return binary(pick(symbols), level: level, depth: depth, around: around)
    case 4: return binary("in", level: .membership, depth: depth, around: around)
    case 5: return typeTest(depth, around: around)
    case 6: return chain("&&", level: .and, depth: depth, around: around)
    case 7: return chain("||", level: .or, depth: depth, around: around)
    case 8: return conditional(depth, around: around)
    case 9: return unary(depth, around: around)
    case 10: return subscripted(depth, around)
    case 11: return call(depth, around: around)
    case 12: return collection(depth, around: around)
    default: return path(depth, around: around)
    }
  }

  private mutating func leaf(_ around: Surroundings) -> Phrase {
    if chance(50) {
      let name = pick(around.variables.keys.sorted())
      return primary(name, tree: around.variables[name] ?? "")
    }
    let literals = [
      ("0", "0"), ("1", "1"), ("42", "42"), ("9223372036854775807", "9223372036854775807"),
      ("1.5", "1.5"), (".5", "0.5"), ("true", "true"), ("false", "false"), ("null", "null"),
      ("'a'", "\"a\""), ("\"it's\"", "\"it's\""), (#"'\n\\'"#, "\"\n\\\""), ("'é😀'", "\"é😀\""),
      ("''", "\"\""), (#"'\u00e9'"#, "\"é\""),
    ]
    let (text, tree) = pick(literals)
    return primary(text, tree: tree)
  }

  private func primary(_ text: String, tree: String) -> Phrase {
    Phrase(text: text, full: text, tree: tree, level: .primary)
  }

  /// In parentheses where it needs them, and now and then where it does not.
  private mutating func operand(_ phrase: Phrase, atLeast level: Phrase.Level) -> String {
    guard phrase.level < level || chance(10) else { return phrase.text }
    return "(\(gap())\(phrase.text)\(gap()))"
  }

  private mutating func binary(
    _ symbol: String, level: Phrase.Level, depth: Int, around: Surroundings
  ) -> Phrase {
    let (left, right) = (
      expression(depth - 1, around: around), expression(depth - 1, around: around)
    )
    // Operators of one level go from left to right.
    let (first, second) = (
      operand(left, atLeast: level), operand(right, atLeast: level.tighter)
    )
    // Without a blank a division reads as a path, and two signs as one operator.
    let isTight = symbol != "in" && symbol != "/" && !second.hasPrefix("-")
    let text = first + (isTight ? gap() : blank()) + symbol + (isTight ? gap() : blank()) + second
    return Phrase(
      text: text, full: "(\(left.full) \(symbol) \(right.full))",
      tree: "(\(symbol) \(left.tree) \(right.tree))", level: level)
  }

  private mutating func typeTest(_ depth: Int, around: Surroundings) -> Phrase {
    let value = expression(depth - 1, around: around)
    let type = pick(["bool", "int", "float", "number", "string", "list", "map", "path", "vector"])
    return Phrase(
      text: operand(value, atLeast: .membership) + blank() + "is" + blank() + type,
      full: "(\(value.full) is \(type))", tree: "(is \(value.tree) \(type))", level: .membership)
  }

  private mutating func chain(
    _ symbol: String, level: Phrase.Level, depth: Int, around: Surroundings
  ) -> Phrase {
    var parts: [Phrase] = []
    for _ in 0..<number(2...4) { parts.append(expression(depth - 1, around: around)) }
    var text = ""
    for (index, part) in parts.enumerated() {
      if index > 0 { text += gap() + symbol + gap() }
      text += operand(part, atLeast: level.tighter)
    }
    return Phrase(
      text: text, full: "(" + parts.map(\.full).joined(separator: " \(symbol) ") + ")",
      tree: "(\(symbol) " + parts.map(\.tree).joined(separator: " ") + ")", level: level)
  }

  private mutating func conditional(_ depth: Int, around: Surroundings) -> Phrase {
    let condition = expression(depth - 1, around: around)
    let (then, otherwise) = (
      expression(depth - 1, around: around), expression(depth - 1, around: around)
    )
    let text =
      operand(condition, atLeast: .or) + gap() + "?" + gap() + operand(then, atLeast: .conditional)
      + blank() + ":" + gap() + operand(otherwise, atLeast: .conditional)
    return Phrase(
      text: text, full: "(\(condition.full) ? \(then.full) : \(otherwise.full))",
      tree: "(? \(condition.tree) \(then.tree) \(otherwise.tree))", level: .conditional)
  }

  private mutating func unary(_ depth: Int, around: Surroundings) -> Phrase {
    let value = expression(depth - 1, around: around)
    let symbol = pick(["!", "-"])
    let inner = operand(value, atLeast: .unary)
    return Phrase(
      text: symbol + gap() + (symbol + inner.prefix(1) == "--" ? "(\(inner))" : inner),
      full: "\(symbol)(\(value.full))",
      tree: "(\(symbol) \(value.tree))", level: .unary)
  }

  // MARK: What follows a value

  private mutating func subscripted(_ depth: Int, _ around: Surroundings) -> Phrase {
    let value = expression(depth - 1, around: around)
    // A number before a dot would be read as a part of it, and what a literal is, is checked.
    let base = "(\(gap())\(value.text))"
    let member = pick(["name", "in_", "size", "data2", "_"])
    switch number(0...2) {
    case 0:
      return Phrase(
        text: base + gap() + "." + gap() + member, full: "(\(value.full)).\(member)",
        tree: "(. \(value.tree) \(member))", level: .primary)
    case 1:
      let index = expression(depth - 1, around: around)
      return Phrase(
        text: base + gap() + "[" + gap() + index.text + gap() + "]",
        full: "(\(value.full))[\(index.full)]", tree: "([] \(value.tree) \(index.tree))",
        level: .primary)
    default:
      let (from, to) = (
        expression(depth - 1, around: around), expression(depth - 1, around: around)
      )
      return Phrase(
        text: base + "[" + from.text + blank() + ":" + gap() + to.text + "]",
        full: "(\(value.full))[(\(from.full)):(\(to.full))]",
        tree: "([:] \(value.tree) \(from.tree) \(to.tree))", level: .primary)
    }
  }

  private mutating func call(_ depth: Int, around: Surroundings) -> Phrase {
    if let function = around.functions.isEmpty || chance(40) ? nil : pick(around.functions) {
      return call(function.name, of: nil, count: function.parameters, depth: depth, around: around)
    }
    if chance(40) {
      let (name, count) = pick([("hasAny", 1), ("toMillis", 0), ("get", 2), ("diff", 1)])
      return call(
        name, of: around.variables.keys.sorted().first, count: count, depth: depth, around: around)
    }
    let (name, count) = pick([
      ("math.abs", 1), ("math.pow", 2), ("string", 1), ("int", 1), ("get", 1), ("exists", 1),
      ("debug", 1), ("timestamp.date", 3),
    ])
    return call(name, of: nil, count: count, depth: depth, around: around)
  }

  private mutating func call(
    _ name: String, of owner: String?, count: Int, depth: Int, around: Surroundings
  ) -> Phrase {
    var arguments: [Phrase] = []
    for _ in 0..<count { arguments.append(expression(depth - 1, around: around)) }
    let text = arguments.map { gap() + $0.text + gap() }.joined(separator: ",")
    let full = arguments.map(\.full).joined(separator: ", ")
    let trees = arguments.map { " " + $0.tree }.joined()
    guard let owner, let tree = around.variables[owner] else {
      return Phrase(
        text: "\(name)(\(text))", full: "\(name)(\(full))", tree: "(\(name)\(trees))",
        level: .primary)
    }
    return Phrase(
      text: "\(owner).\(name)(\(text))", full: "\(owner).\(name)(\(full))",
      tree: "(.\(name) \(tree)\(trees))", level: .primary)
  }

  // MARK: Collections and paths

  private mutating func collection(_ depth: Int, around: Surroundings) -> Phrase {
    var elements: [Phrase] = []
    for _ in 0..<number(0...3) { elements.append(expression(depth - 1, around: around)) }
    let isList = chance(60)
    let keys = elements.indices.map { "'k\($0)'" }
    func joined(_ texts: [String]) -> String { texts.joined(separator: ",") }
    if isList {
      return Phrase(
        text: "[" + joined(elements.map { gap() + $0.text + gap() }) + "]",
        full: "[" + joined(elements.map(\.full)) + "]",
        tree: "[" + elements.map(\.tree).joined(separator: " ") + "]", level: .primary)
    }
    return Phrase(
      text: "{" + joined(zip(keys, elements).map { gap() + $0 + gap() + ":" + $1.text }) + "}",
      full: "{" + joined(zip(keys, elements).map { "\($0): \($1.full)" }) + "}",
      tree: "{"
        + elements.enumerated().map { "\"k\($0)\":\($1.tree)" }.joined(separator: " ") + "}",
      level: .primary)
  }

  private mutating func path(_ depth: Int, around: Surroundings) -> Phrase {
    var (text, full, trees) = ("", "", [String]())
    for _ in 0..<number(1...4) {
      if chance(60) {
        let segment = pick(["users", "a-b", "x.y", "(default)", "7", "e.f", "@me", "50%"])
        text += "/" + segment
        full += "/" + segment
        trees.append(segment)
      } else {
        let value = expression(depth - 1, around: around)
        text += "/$(" + gap() + value.text + gap() + ")"
        full += "/$(\(value.full))"
        trees.append("$" + value.tree)
      }
    }
    return Phrase(
      text: text, full: "(\(full))", tree: "(/ " + trees.joined(separator: " ") + ")",
      level: .conditional)
  }
}
