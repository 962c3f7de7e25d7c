/// Makes a ``RegexProgram`` of a pattern in RE2's syntax.
/// https://github.com/google/re2/wiki/Syntax
struct RegexCompiler {
  private static let mostSteps = 10_000
  private static let mostRepetitions = 1000
  private static let maximumNesting = 50

  struct Flags {
    var ignoresCase = false
    var isMultiLine = false
    var dotTakesNewlines = false
    var isLazy = false
  }

  var rest: ArraySlice<Unicode.Scalar>
  private var steps: [RegexProgram.Step] = []
  private(set) var flags = Flags()
  private var depth = 0
  private var groups = RegexGroups()

  static func compile(_ pattern: String) throws(RegexError) -> (RegexProgram, RegexGroups) {
    var compiler = RegexCompiler(Array(pattern.unicodeScalars))
    try compiler.alternatives()
    guard compiler.rest.isEmpty else { throw .malformed }
    compiler.steps.append(.end)
    return (RegexProgram(steps: compiler.steps), compiler.groups)
  }

  private init(_ pattern: [Unicode.Scalar]) {
    rest = pattern[...]
  }

  // MARK: Structure

  private mutating func alternatives() throws(RegexError) {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumNesting {
      throw .unsupported("a regular expression nested too deeply")
    }
    var ends: [Int] = []
    while true {
      let start = steps.count
      try sequence()
      guard skip("|") else { break }
      insert(.either(start + 1, 0), at: start)
      ends.append(steps.count)
      try add(.jump(0))
      steps[start] = .either(start + 1, steps.count)
    }
    for end in ends { steps[end] = .jump(steps.count) }
  }

  private mutating func sequence() throws(RegexError) {
    while let scalar = rest.first, scalar != "|", scalar != ")" {
      let start = steps.count
      let isRepeatable = try atom()
      try repetition(from: start, isRepeatable: isRepeatable)
    }
  }

  private mutating func repetition(from start: Int, isRepeatable: Bool) throws(RegexError) {
    guard let bounds = try self.bounds() else { return }
    guard isRepeatable else {
      throw .unsupported("a regular expression that repeats nothing")
    }
    let isLazy = skip("?") != flags.isLazy
    if try self.bounds() != nil {
      throw .unsupported("a regular expression with two repetitions in a row")
    }
    let body = Array(steps[start...])
    steps.removeSubrange(start...)
    for _ in 0..<bounds.least { try append(body, from: start) }
    if let most = bounds.most {
      // (((body)?body)?body)?, each leaving to the end.
      var leaving: [Int] = []
      for _ in bounds.least..<most {
        leaving.append(steps.count)
        try add(.jump(0))
        try append(body, from: start)
      }
      for step in leaving { steps[step] = either(step + 1, leave: steps.count, isLazy: isLazy) }
    } else {
      let loop = steps.count
      try add(.jump(0))
      try append(body, from: start)
      try add(.jump(loop))
      steps[loop] = either(loop + 1, leave: steps.count, isLazy: isLazy)
    }
  }

  private func either(_ again: Int, leave: Int, isLazy: Bool) -> RegexProgram.Step {
    isLazy ? .either(leave, again) : .either(again, leave)
  }

  /// Nil where no repetition follows. Braces that are none are plain characters.
  private mutating func bounds() throws(RegexError) -> (least: Int, most: Int?)? {
    if skip("*") { return (0, nil) }
    if skip("+") { return (1, nil) }
    if skip("?") { return (0, 1) }
    guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
    let parts = rest[(rest.startIndex + 1)..<end].split(
      separator: ",", maxSplits: 1, omittingEmptySubsequences: false
    ).map { String(String.UnicodeScalarView($0)) }
    let numbers = parts.map { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? Int(part) : nil
    }
    guard let least = numbers[0], parts.count == 1 || parts[1].isEmpty || numbers[1] != nil else {
      return nil
    }
    rest = rest[(end + 1)...]
    let most = parts.count == 1 ? least : numbers[1]
    guard max(least, most ?? 0) <= Self.mostRepetitions, most ?? least >= least else {
      throw .unsupported("invalid repetition in a regular expression")
    }
    return (least, most)
  }

  // MARK: Atoms

  /// Whether it can be repeated.
  private mutating func atom() throws(RegexError) -> Bool {
    guard let scalar = rest.popFirst() else { return false }
    switch scalar {
    case "(": return try group()
    case "[":
      try add(.test(.oneOf(bracketed())))
    case ".": try add(.test(flags.dotTakesNewlines ? .any : .notNewline))
    case "^": try add(.assert(flags.isMultiLine ? .lineStart : .textStart))
    case "$": try add(.assert(flags.isMultiLine ? .lineEnd : .textEnd))
    case "\\": return try escape()
    case "*", "+", "?": throw .unsupported("a regular expression that repeats nothing")
    default: try addLiteral(scalar)
    }
    return true
  }

  private mutating func group() throws(RegexError) -> Bool {
    let outer = flags
    var name: ArraySlice<Unicode.Scalar>?
    var captures = true
    if skip("?") {
      captures = rest.first == "P" || rest.first == "<"
      if captures {
        let text = rest.prefix { $0 != ">" }
        name = text.drop { $0 != "<" }.dropFirst()
        guard rest.count > text.count, ["<", "P<"].contains(Self.opening(of: text)), let name,
          !name.isEmpty, name.allSatisfy(\.isWord)
        else {
          throw .unsupported("'(?<' without a name is not part of RE2's regular expressions")
        }
        rest = rest[text.endIndex...].dropFirst()
      } else {
        var isOn = true
        flags: while let scalar = rest.popFirst() {
          switch scalar {
          case "i": flags.ignoresCase = isOn
          case "m": flags.isMultiLine = isOn
          case "s": flags.dotTakesNewlines = isOn
          case "U": flags.isLazy = isOn
          case "-": isOn = false
          case ":": break flags
          // For the rest of the group around it.
          case ")": return false
          default: throw .unsupported("'(?\(scalar)' is not part of RE2's regular expressions")
          }
        }
      }
    }
    if captures { groups.count += 1 }
    let number = groups.count
    if let name { groups.names[String(String.UnicodeScalarView(name))] = number }
    if captures { try add(.save(2 * number - 2)) }
    try alternatives()
    guard skip(")") else { throw .malformed }
    if captures { try add(.save(2 * number - 1)) }
    flags = outer
    return true
  }

  private mutating func escape() throws(RegexError) -> Bool {
    guard let scalar = rest.popFirst() else {
      throw .malformed
    }
    switch scalar {
    case "A": try add(.assert(.textStart))
    case "z": try add(.assert(.textEnd))
    case "b": try add(.assert(.wordBoundary))
    case "B": try add(.assert(.noWordBoundary))
    case "Q": return try quotation()
    default:
      var characters = CharacterClass(ignoresCase: flags.ignoresCase)
      if try add(escape: scalar, to: &characters) {
        try add(.test(.oneOf(characters)))
      } else {
        try addLiteral(character(escapedBy: scalar))
      }
    }
    return true
  }

  /// `\Q...\E`, all of it literal.
  private mutating func quotation() throws(RegexError) -> Bool {
    let start = steps.count
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first == "E" {
        rest.removeFirst()
        break
      }
      try addLiteral(scalar)
    }
    return steps.count > start
  }

  private static func opening(of text: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(text.prefix { $0 != "<" } + ["<"]))
  }

  // MARK: Steps

  private mutating func addLiteral(_ scalar: Unicode.Scalar) throws(RegexError) {
    try add(.test(flags.ignoresCase ? .anyCase(scalar) : .literal(scalar)))
  }

  private mutating func add(_ step: RegexProgram.Step) throws(RegexError) {
    steps.append(step)
    if steps.count > Self.mostSteps {
      throw .unsupported("a regular expression that is too large")
    }
  }

  /// Adds a copy of steps that began elsewhere.
  private mutating func append(_ body: [RegexProgram.Step], from start: Int) throws(RegexError) {
    let offset = steps.count - start
    for step in body { try add(step.moved(by: offset)) }
  }

  private mutating func insert(_ step: RegexProgram.Step, at index: Int) {
    for position in index..<steps.count { steps[position] = steps[position].moved(by: 1) }
    steps.insert(step, at: index)
  }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }
}

extension RegexProgram.Step {
  /// For steps that lead to each other only.
  fileprivate func moved(by offset: Int) -> RegexProgram.Step {
    switch self {
    case .either(let first, let second): .either(first + offset, second + offset)
    case .jump(let target): .jump(target + offset)
    case .test, .assert, .save, .end: self
    }
  }
}
