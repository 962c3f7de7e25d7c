/// A regular expression in RE2's syntax, whose time grows with the text and the pattern only.
///
/// Swift's `Regex` tries one way through a pattern after the other, and there may be more than a
/// server has time for. A pattern is built where it is used and never stored; see
/// ``UnicodeProperty``.
package struct RegexPattern {
  private static let longestPattern = 20_000

  private let program: RegexProgram
  private let groups: RegexGroups

  /// How many steps it was made into.
  package var size: Int { program.steps.count }

  package init(_ pattern: String) throws(RegexError) {
    guard pattern.utf8.count <= Self.longestPattern else {
      throw .unsupported("a regular expression that is too large")
    }
    do throws(RegexError) {
      (program, groups) = try RegexCompiler.compile(pattern)
    } catch .malformed {
      throw .unsupported("'\(pattern)' is not a regular expression")
    } catch {
      throw error
    }
  }

  package func matchesWhole(
    _ text: String, work: inout RegexWork
  ) throws(RegexError) -> Bool {
    let scalars = try Self.scalars(text, work: &work)
    return try program.run(scalars, from: 0, isWhole: true, groups: 0, work: &work) != nil
  }

  /// What the leftmost match is, and then what each of its groups is; nil for groups that took no
  /// part.
  package func firstMatch(
    in text: String, _ work: inout RegexWork
  ) throws(RegexError) -> [String?]? {
    let scalars = try Self.scalars(text, work: &work)
    let match = try program.run(scalars, from: 0, isWhole: false, groups: groups.count, work: &work)
    return match.map { match in
      (0...groups.count).map { number in
        match.group(number).map { String(String.UnicodeScalarView(scalars[$0])) }
      }
    }
  }

  package func replaceAll(
    in text: String, with replacement: String, _ work: inout RegexWork
  ) throws(RegexError) -> String {
    let scalars = try Self.scalars(text, work: &work)
    let matches = try matches(in: scalars, &work)
    // As in Java, a replacement that names a missing group is a fault only where it is used.
    guard !matches.isEmpty else { return text }
    let template = try RegexReplacement(replacement, groups: groups)
    var output = String.UnicodeScalarView()
    var copied = 0
    for match in matches {
      output.append(contentsOf: scalars[copied..<match.range.lowerBound])
      try template.append(to: &output, for: match, in: scalars, &work)
      copied = match.range.upperBound
    }
    output.append(contentsOf: scalars[copied...])
    return String(output)
  }

  /// Empty parts at the end are left out, as by Java's `split`.
  package func split(_ text: String, work: inout RegexWork) throws(RegexError) -> [String] {
    let scalars = try Self.scalars(text, work: &work)
    var parts: [String] = []
    var start = 0
    for match in try matches(in: scalars, &work) {
      parts.append(String(String.UnicodeScalarView(scalars[start..<match.range.lowerBound])))
      start = match.range.upperBound
      try work.spend(8)
    }
    parts.append(String(String.UnicodeScalarView(scalars[start...])))
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    return parts
  }

  private static func scalars(
    _ text: String, work: inout RegexWork
  ) throws(RegexError) -> [Unicode.Scalar] {
    try work.spend(text.utf8.count / 8)
    return Array(text.unicodeScalars)
  }

  /// All that do not overlap; an empty one may follow another at once.
  private func matches(
    in text: [Unicode.Scalar], _ work: inout RegexWork
  ) throws(RegexError) -> [RegexMatch] {
    var matches: [RegexMatch] = []
    var position = 0
    while position <= text.count,
      let match = try program.run(
        text, from: position, isWhole: false, groups: groups.count, work: &work)
    {
      matches.append(match)
      try work.spend(16 * (groups.count + 1))
      position = match.range.isEmpty ? match.range.upperBound + 1 : match.range.upperBound
    }
    return matches
  }
}
