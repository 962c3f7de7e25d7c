import HearthCrypto
import HearthRegex
import HearthTestSupport
import Testing

/// Patterns against Swift's own engine, which tries one way after the other.
@Suite struct `A regular expression` {
  @Test(arguments: 0..<400) func `finds what Swift's finds`(_ seed: UInt64) throws {
    var chance = SplitMix(seed: seed)
    for _ in 0..<20 {
      let text = Self.pattern(3, chance: &chance)
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
        var work = RegexWork.plenty
        #expect(
          try pattern.matchesWhole(subject, work: &work) == (regex.wholeMatch(in: subject) != nil),
          "\(text.debugDescription) \(subject.debugDescription)")
        let first = try pattern.firstMatch(in: subject, &work)
        let found = try regex.firstMatch(in: subject)
        let theirs = found?.output.map { $0.substring.map { String($0) } }
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

  private static func pattern(_ depth: Int, chance: inout SplitMix) -> String {
    func inner() -> String { pattern(depth - 1, chance: &chance) }
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
    var work = RegexWork.plenty
    #expect(try RegexPattern(pattern).matchesWhole(text, work: &work) == matches)
  }

  @Test(arguments: [
    "a++", "a**", "a{2}{3}", "a{1001}", #"\Xa"#, "(?x)a", "(?:*)", #"\Ga"#, "a)", "(a",
    "(?:(?:a{1000}){1000}){1000}",
    "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "(?|a)", "\\k<a>", "[a", "\\", "a\\Q[\\E((",
    "[[:alpha:]", "\\p{", "\\x{", "(?", "(?P<a",
    "[b-a]", #"[a-\d]"#, "[[:nope:]]", #"\p{Nope}"#, #"\x4"#, "(?Pa)", "(?P<a-b>c)", "(?<>a)",
    "[a--b]",
  ])
  func `is refused where it is not one of RE2's`(_ pattern: String) {
    #expect(throws: RegexError.self) { try RegexPattern(pattern) }
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
    var work = RegexWork.plenty
    #expect(try RegexPattern(pattern).replaceAll(in: text, with: replacement, &work) == result)
  }

  @Test(arguments: ["$1", "${x}", "${", "${1}"])
  func `does not replace by a group that is not there`(_ replacement: String) {
    var work = RegexWork.plenty
    #expect(throws: RegexError.self) {
      try RegexPattern("a").replaceAll(in: "a", with: replacement, &work)
    }
  }

  @Test(arguments: [
    ("[0-9]", "a1b2", ["a", "b"]), (",", "", [""]), (",", ",,", [""]), (",", ",,a", ["", "", "a"]),
    ("", "abc", ["", "a", "b", "c"]), ("b*", "abc", ["", "a", "", "c"]),
  ])
  func `splits as Java does`(_ pattern: String, _ text: String, _ parts: [String]) throws {
    var work = RegexWork.plenty
    #expect(try RegexPattern(pattern).split(text, work: &work) == parts)
  }

  /// Each finds its way only at the end of the text, or nowhere.
  @Test(arguments: ["(a+)+$", "(a+)+b", "^([a-z]+ ?)*$", "(a|a)*b", "(a*)*(a*)*b"])
  func `looks at each character a bounded number of times`(_ text: String) throws {
    let pattern = try RegexPattern(text)
    for length in [1000, 10_000] {
      var work = RegexWork.plenty
      let subject = String(repeating: "a", count: length) + "!"
      #expect(try pattern.firstMatch(in: subject, &work) == nil)
      #expect(work.spent < 3 * pattern.size * length)
    }
  }

  @Test func `takes no longer where there are many ways`() throws {
    let pattern = try RegexPattern("(a?){30}a{30}b")
    var work = RegexWork.plenty
    let subject = String(repeating: "a", count: 1000) + "!"
    #expect(try pattern.matchesWhole(subject, work: &work) == false)
  }

  @Test(arguments: ["(a+)+$", "(?:(?:[ab]?){900}b?)*c", "(?i)(?:(?:[^b]?){900}b?)*c"])
  func `ends where it takes too much work`(_ text: String) throws {
    let pattern = try RegexPattern(text)
    let subject = String(repeating: "a", count: 1_000_000) + "!"
    var work = RegexWork(limit: 500_000)
    #expect(throws: RegexError.tooMuchWork) { try pattern.firstMatch(in: subject, &work) }
    #expect(work.spent < 550_000)
  }

  @Test func `ends where it replaces too much`() throws {
    let text = String(repeating: "a", count: 100_000)
    var work = RegexWork(limit: 10_000_000)
    #expect(throws: RegexError.tooMuchWork) {
      _ = try RegexPattern("a*b|a").replaceAll(in: text, with: "", &work)
    }
  }
}

extension RegexWork {
  fileprivate static var plenty: RegexWork { RegexWork(limit: .max / 2) }
}
