import HearthCrypto
import HearthTestSupport
import Testing

@testable import HearthFirestoreRules

/// Patterns against Swift's own engine, which tries one way after the other.
@Suite struct `A regular expression` {
  @Test(arguments: 0..<400) func `finds what Swift's finds`(_ seed: UInt64) throws {
    var chance = SplitMix(seed: seed)
    for _ in 0..<20 {
      let text = Self.pattern(3, &chance)
      guard let pattern = try? RegexPattern(text) else {
        Issue.record("refused: \(text)")
        continue
      }
      let regex = try Self.swiftRegex(text)
      for _ in 0..<10 {
        let subject = String(
          (0..<Int.random(in: 0...6, using: &chance)).map { _ in
            "abc\n".randomElement(using: &chance) ?? "a"
          })
        #expect(
          try pattern.matchesWhole(subject, RuleBudget()) == (regex.wholeMatch(in: subject) != nil),
          "\(text.debugDescription) \(subject.debugDescription)")
        let first = try Self.firstMatch(of: text, in: subject)
        let found = try regex.firstMatch(in: subject)
        let theirs = found.map { String(subject[$0.range]) }
        #expect(first == theirs, "\(text.debugDescription) \(subject.debugDescription)")
      }
    }
  }

  /// RE2 sees scalars, where Swift by itself would take `e\u{301}` for one character, and its `\d`,
  /// `\w` and `\s` are ASCII.
  private static func swiftRegex(_ pattern: String) throws -> Regex<AnyRegexOutput> {
    try Regex(pattern).matchingSemantics(.unicodeScalar).asciiOnlyCharacterClasses()
      .asciiOnlyDigits().asciiOnlyWordCharacters().asciiOnlyWhitespace().wordBoundaryKind(.simple)
  }

  private static func firstMatch(of pattern: String, in text: String) throws -> String? {
    let scalars = Array(text.unicodeScalars)
    let (program, groups) = try RegexCompiler.compile(pattern)
    let match = try program.firstMatch(in: scalars, from: 0, groups.count, RuleBudget())
    return match.map { String(String.UnicodeScalarView(scalars[$0.range])) }
  }

  private static func pattern(_ depth: Int, _ chance: inout SplitMix) -> String {
    func inner() -> String { pattern(depth - 1, &chance) }
    guard depth > 0 else {
      return ["a", "b", "c", ".", "[ab]", "[^a]", "\\w", "\\n"].randomElement(using: &chance) ?? "a"
    }
    switch Int.random(in: 0..<11, using: &chance) {
    case 0...3: return inner() + inner()
    case 4, 5: return "(?:\(inner())|\(inner()))"
    case 6, 7:
      let sign =
        ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}?"]
        .randomElement(using: &chance) ?? "*"
      // Engines differ in what a body that takes nothing does once more.
      return "(?:[abc]\(inner()))\(sign)"
    case 8: return "(\(inner()))"
    case 9: return ["^", "$", "\\b", "\\B", "(?m)^", "(?i)B"].randomElement(using: &chance) ?? "^"
    default: return inner()
    }
  }

  @Test(arguments: [
    ("(?U)a+b?", "ab", true), ("a(?i:B)C", "AbC", false), ("a(?i:b)c", "aBc", true),
    ("(?i)k", "K", true), ("a{,2}", "a{,2}", true), ("a{2,3}", "aaa", true),
    (#"a\Q.*\Eb"#, "a.*b", true), (#"\bab\b.\Bc?"#, "ab c", false), ("(?m)a$\n^b", "a\nb", true),
    (#"\x41\x{41}\0101"#, "AA\u{8}1", true), ("(a*)*", "", true), ("(?i)[a-c]+", "aBC", true),
    ("(?i)(a)b|c(?-i)d", "cD", false), ("a|(?i)b", "B", true), ("", "", true), ("|a", "a", true),
    ("[]a]+", "a]", true), ("[[a]+", "[a", true), ("[a&&b]+", "a&b", true), (#"\pL"#, "é", true),
    ("[[:^digit:]a-]+", "x-", true), ("[^a-c]", "b", false), (#"[\]\-\x41-C]+"#, "]-B", true),
    (#"[\D]"#, "1", false), (#"\p{Greek}\P{Greek}"#, "αa", true), (#"\p{^Greek}"#, "α", false),
    (#"[\pN_]+"#, "4_", true), ("(?i)[^a]", "A", false), ("[a-]", "-", true), ("[-a]", "-", true),
    ("[[:]", ":", true), ("[[a:]]", "a]", true), (#"[\w.]+"#, "a_1.", true),
    (#"[\s]"#, "\u{0B}", false),
  ])
  func `is RE2's`(_ pattern: String, _ text: String, _ matches: Bool) throws {
    #expect(try RegexPattern(pattern).matchesWhole(text, RuleBudget()) == matches)
  }

  @Test(arguments: [
    "a++", "a**", "a{2}{3}", "a{1001}", #"\Xa"#, "(?x)a", "(?:*)", #"\Ga"#, "a)", "(a",
    "(?:(?:a{1000}){1000}){1000}",
    "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "(?|a)", "\\k<a>", "[a", "\\", "a\\Q[\\E((",
    "[[:alpha:]", "\\p{", "\\x{", "(?", "(?P<a",
    "[b-a]", #"[a-\d]"#, "[[:nope:]]", #"\p{Nope}"#, #"\x4"#, "(?Pa)", "(?P<a-b>c)", "(?<>a)",
    "[a--b]",
  ])
  func `is refused where it is none of RE2's`(_ pattern: String) {
    #expect(throws: EvaluationError.self) { try RegexPattern(pattern) }
  }

  @Test(arguments: [
    ("a*", "baac", "-", "-b--c-"), ("ab|a", "abaa", "-", "---"), ("b??", "abc", "-", "-a-b-c-"),
    ("(a)", "banana", "[$1]", "b[a]n[a]n[a]"), ("(a)(n)?", "banana", "<$2>", "b<n><n><>"),
    ("(?P<x>a)", "ba", "[${x}]", "b[a]"), ("(?<x>a)", "ba", "[${x}]", "b[a]"),
    ("a", "ba", #"\$"#, "b$"), ("a", "ba", "$", "b$"), ("(a)", "ba", "$10", "ba0"),
    ("(a)", "ba", "$a", "b$a"), ("a", "ba", "$0$0", "baa"), ("a", "ba", #"\"#, #"b\"#),
    ("(a)|b", "ab", "<$1>", "<a><>"), ("(a|(b))*", "ab.", "<$1$2>", "<bb><>.<>"),
  ])
  func `replaces as RE2 in Java does`(
    _ pattern: String, _ text: String, _ replacement: String, _ result: String
  ) throws {
    let budget = RuleBudget()
    #expect(try RegexPattern(pattern).replaceAll(in: text, with: replacement, budget) == result)
  }

  @Test(arguments: ["$1", "${x}", "${", "${1}"])
  func `does not replace by a group that is not there`(_ replacement: String) {
    #expect(throws: EvaluationError.self) {
      try RegexPattern("a").replaceAll(in: "a", with: replacement, RuleBudget())
    }
  }

  @Test(arguments: [
    ("[0-9]", "a1b2", ["a", "b"]), (",", "", [""]), (",", ",,", [""]), (",", ",,a", ["", "", "a"]),
    ("", "abc", ["", "a", "b", "c"]), ("b*", "abc", ["", "a", "", "c"]),
  ])
  func `splits as Java does`(_ pattern: String, _ text: String, _ parts: [String]) throws {
    #expect(try RegexPattern(pattern).split(text, RuleBudget()) == parts)
  }

  @Test(arguments: ["(a+)+b", "^([a-z]+ ?)*$", "(a|a)*b", "(a*)*(a*)*b", "(a?){30}a{30}b"])
  func `takes no longer where there are many ways`(_ text: String) throws {
    let pattern = try RegexPattern(text)
    let subject = String(repeating: "a", count: 1000) + "!"
    #expect(try pattern.matchesWhole(subject, RuleBudget()) == false)
  }

  @Test func `ends where it takes too long`() throws {
    let pattern = try RegexPattern("(?:(?:[ab]?){900}b?)*c")
    let text = String(repeating: "a", count: 100_000)
    #expect(throws: EvaluationError.self) { try pattern.matchesWhole(text, RuleBudget()) }
    #expect(throws: EvaluationError.self) {
      _ = try RegexPattern("a*b|a").replaceAll(in: text, with: "", RuleBudget())
    }
  }
}
