/// A pattern for `matches`, `replace` and `split`, in RE2's syntax.
///
/// Swift's `Regex` says whether it is one, and what its classes hold; the search is ours, because
/// `Regex` tries one way through a pattern after the other, and there may be more than a server has
/// time for. `Regex` is not Sendable, so a pattern is built where it is used and never stored; the
/// parser builds constant ones once to report what is wrong with them.
struct RegexPattern {
  private let program: RegexProgram

  init(_ pattern: String) throws {
    do {
      // First, because Swift's parser recurses without a limit.
      program = try RegexCompiler.compile(pattern)
      _ = try Self.swiftRegex(pattern)
    } catch let error as EvaluationError {
      throw error
    } catch {
      throw EvaluationError("'\(pattern)' is not a regular expression")
    }
  }

  /// RE2 sees scalars, where Swift by itself would take `e\u{301}` for one character, and its `\d`,
  /// `\w` and `\s` are ASCII.
  static func swiftRegex(_ pattern: String) throws -> Regex<AnyRegexOutput> {
    try Regex(pattern).matchingSemantics(.unicodeScalar).asciiOnlyCharacterClasses()
      .asciiOnlyDigits().asciiOnlyWordCharacters().asciiOnlyWhitespace().wordBoundaryKind(.simple)
  }

  func matchesWhole(_ text: String) throws -> Bool {
    try program.matchesWhole(Array(text.unicodeScalars))
  }

  func replaceAll(in text: String, with replacement: String) throws -> String {
    let scalars = Array(text.unicodeScalars)
    var output = String.UnicodeScalarView()
    var copied = 0
    for match in try matches(in: scalars) {
      output.append(contentsOf: scalars[copied..<match.lowerBound])
      output.append(contentsOf: replacement.unicodeScalars)
      copied = match.upperBound
    }
    output.append(contentsOf: scalars[copied...])
    return String(output)
  }

  func split(_ text: String) throws -> [String] {
    let scalars = Array(text.unicodeScalars)
    var parts: [String] = []
    var start = 0
    for match in try matches(in: scalars) {
      parts.append(String(String.UnicodeScalarView(scalars[start..<match.lowerBound])))
      start = match.upperBound
    }
    return parts + [String(String.UnicodeScalarView(scalars[start...]))]
  }

  /// All that do not overlap. As RE2 has it, an empty one does not follow another at once.
  private func matches(in text: [Unicode.Scalar]) throws -> [Range<Int>] {
    var matches: [Range<Int>] = []
    var position = 0
    var budget = RegexProgram.budget
    while position <= text.count,
      let match = try program.firstMatch(in: text, from: position, &budget)
    {
      if !match.isEmpty || matches.last?.upperBound != match.lowerBound { matches.append(match) }
      position = match.isEmpty ? match.upperBound + 1 : match.upperBound
    }
    return matches
  }
}
