/// A pattern for `matches`, `replace` and `split`: RE2 syntax, run by Swift's `Regex`.
///
/// `Regex` is not Sendable, so a pattern is built where it is used and never stored; the parser
/// builds constant ones once to report what is wrong with them.
struct RegexPattern {
  private let regex: Regex<AnyRegexOutput>

  init(_ pattern: String) throws {
    try RE2Dialect.check(pattern)
    do {
      // RE2 sees scalars, where Swift by itself would take `e\u{301}` for one character, and its
      // `\d`, `\w` and `\s` are ASCII.
      regex = try Regex(pattern).matchingSemantics(.unicodeScalar).asciiOnlyCharacterClasses()
        .asciiOnlyDigits().asciiOnlyWordCharacters().asciiOnlyWhitespace()
    } catch {
      throw EvaluationError("'\(pattern)' is not a regular expression")
    }
  }

  func matchesWhole(_ text: String) throws -> Bool { try regex.wholeMatch(in: text) != nil }

  func replaceAll(in text: String, with replacement: String) -> String {
    text.replacing(regex, with: replacement)
  }

  func split(_ text: String) -> [String] {
    text.split(separator: regex, omittingEmptySubsequences: false).map(String.init)
  }
}
