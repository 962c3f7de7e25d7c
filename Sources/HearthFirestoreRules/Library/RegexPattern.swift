/// A pattern for `matches`, `replace` and `split`, in RE2's syntax.
///
/// The search is ours, because Swift's `Regex` tries one way through a pattern after the other, and
/// there may be more than a server has time for. A pattern is built where it is used and never
/// stored; the parser builds constant ones once to report what is wrong with them.
struct RegexPattern {
  private static let longestPattern = 20_000

  private let program: RegexProgram
  private let groups: RegexGroups

  init(_ pattern: String, _ budget: RuleBudget = RuleBudget()) throws {
    guard pattern.utf8.count <= Self.longestPattern else {
      throw EvaluationError("a regular expression that is too large")
    }
    do {
      (program, groups) = try RegexCompiler.compile(pattern)
    } catch let error as EvaluationError {
      throw error
    } catch {
      throw EvaluationError("'\(pattern)' is not a regular expression")
    }
    // To read a pattern takes microseconds for each character.
    try budget.spend(100 + 20 * pattern.utf8.count + program.steps.count)
  }

  func matchesWhole(_ text: String, _ budget: RuleBudget) throws -> Bool {
    try program.matchesWhole(Self.scalars(text, budget), budget)
  }

  func replaceAll(
    in text: String, with replacement: String, _ budget: RuleBudget
  ) throws -> String {
    let template = try RegexReplacement(replacement, groups)
    let scalars = try Self.scalars(text, budget)
    var output = String.UnicodeScalarView()
    var copied = 0
    for match in try matches(in: scalars, budget) {
      output.append(contentsOf: scalars[copied..<match.range.lowerBound])
      try template.append(to: &output, for: match, in: scalars, budget)
      copied = match.range.upperBound
    }
    output.append(contentsOf: scalars[copied...])
    return String(output)
  }

  /// Empty parts at the end are left out, as by Java's `split`.
  func split(_ text: String, _ budget: RuleBudget) throws -> [String] {
    let scalars = try Self.scalars(text, budget)
    var parts: [String] = []
    var start = 0
    for match in try matches(in: scalars, budget) {
      parts.append(String(String.UnicodeScalarView(scalars[start..<match.range.lowerBound])))
      start = match.range.upperBound
      try budget.spend(8)
    }
    parts.append(String(String.UnicodeScalarView(scalars[start...])))
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    return parts
  }

  private static func scalars(
    _ text: String, _ budget: RuleBudget
  ) throws -> [Unicode.Scalar] {
    try budget.spend(text.utf8.count / 8)
    return Array(text.unicodeScalars)
  }

  /// All that do not overlap; an empty one may follow another at once.
  private func matches(
    in text: [Unicode.Scalar], _ budget: RuleBudget
  ) throws -> [RegexMatch] {
    var matches: [RegexMatch] = []
    var position = 0
    while position <= text.count,
      let match = try program.firstMatch(in: text, from: position, groups.count, budget)
    {
      matches.append(match)
      try budget.spend(16 * (groups.count + 1))
      position = match.range.isEmpty ? match.range.upperBound + 1 : match.range.upperBound
    }
    return matches
  }
}
