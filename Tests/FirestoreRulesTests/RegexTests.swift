import Testing

@testable import FirestoreRules

/// Patterns against Swift's own engine, which tries one way after the other.
@Suite struct `A regular expression` {
  @Test(arguments: 0..<400) func `finds what Swift's finds`(_ seed: UInt64) throws {
    var chance = SplitMix(state: seed)
    for _ in 0..<20 {
      let text = Self.pattern(3, &chance)
      guard let pattern = try? RegexPattern(text) else {
        Issue.record("refused: \(text)")
        continue
      }
      let regex = try RegexPattern.swiftRegex(text)
      for _ in 0..<10 {
        let subject = String(
          (0..<Int.random(in: 0...6, using: &chance)).map { _ in
            "abc\n".randomElement(using: &chance) ?? "a"
          })
        #expect(
          try pattern.matchesWhole(subject) == (regex.wholeMatch(in: subject) != nil),
          "\(text.debugDescription) \(subject.debugDescription)")
        let first = try Self.firstMatch(of: text, in: subject)
        let found = try regex.firstMatch(in: subject)
        let theirs = found.map { String(subject[$0.range]) }
        #expect(first == theirs, "\(text.debugDescription) \(subject.debugDescription)")
      }
    }
  }

  private static func firstMatch(of pattern: String, in text: String) throws -> String? {
    let scalars = Array(text.unicodeScalars)
    var budget = RegexProgram.budget
    let match = try RegexCompiler.compile(pattern).firstMatch(in: scalars, from: 0, &budget)
    return match.map { String(String.UnicodeScalarView(scalars[$0])) }
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
  ])
  func `is RE2's`(_ pattern: String, _ text: String, _ matches: Bool) throws {
    #expect(try RegexPattern(pattern).matchesWhole(text) == matches)
  }

  @Test(arguments: [
    "a++", "a**", "a{2}{3}", "a{1001}", #"\Xa"#, "(?x)a", "(?:*)", "^*", #"\Ga"#, "a)", "(a",
    "(?:(?:a{1000}){1000}){1000}",
    "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "(?|a)", "\\k<a>", "[a", "\\", "a\\Q[\\E((",
    "[[:alpha:]", "\\p{", "\\x{", "(?", "(?P<a",
  ])
  func `is refused where it is none of RE2's`(_ pattern: String) {
    #expect(throws: EvaluationError.self) { try RegexPattern(pattern) }
  }

  @Test func `replaces and splits as RE2 does`() throws {
    #expect(try RegexPattern("a*").replaceAll(in: "baac", with: "-") == "-b-c-")
    #expect(try RegexPattern("ab|a").replaceAll(in: "abaa", with: "-") == "---")
    #expect(try RegexPattern("b??").replaceAll(in: "abc", with: "-") == "-a-b-c-")
    #expect(try RegexPattern("[0-9]").split("a1b2") == ["a", "b", ""])
    #expect(try RegexPattern(",").split("") == [""])
  }

  @Test(arguments: ["(a+)+b", "^([a-z]+ ?)*$", "(a|a)*b", "(a*)*(a*)*b", "(a?){30}a{30}b"])
  func `takes no longer where there are many ways`(_ text: String) throws {
    let pattern = try RegexPattern(text)
    #expect(try pattern.matchesWhole(String(repeating: "a", count: 1000) + "!") == false)
  }

  @Test func `ends where it takes too long`() throws {
    let pattern = try RegexPattern("(?:(?:[ab]?){900}b?)*c")
    let text = String(repeating: "a", count: 100_000)
    #expect(throws: EvaluationError.self) { try pattern.matchesWhole(text) }
    #expect(throws: EvaluationError.self) {
      _ = try RegexPattern("a*b|a").replaceAll(in: text, with: "")
    }
  }
}
