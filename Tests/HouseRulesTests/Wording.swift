import Testing

/// A word that texts and comments do without, because readers stumble over it.
struct Wording: Sendable, CustomTestStringConvertible {
  let word: String
  /// Uses of the word that are ordinary English.
  let allowed: [String]
  let instead: String

  var testDescription: String { word }

  init(_ word: String, allowed: [String] = [], instead: String) {
    self.word = word
    self.allowed = allowed
    self.instead = instead
  }

  /// Whether a text has the letters of the word, as most have not.
  func mayBeUsed(in text: String) -> Bool {
    Self.spellings(of: word).contains { text.contains($0) }
  }

  /// Whether a line has the word, in a use that is not allowed. `is None` is Python, and no word.
  func isUsed(in line: some StringProtocol) -> Bool {
    var rest = String(line)
    guard mayBeUsed(in: rest) else { return false }
    let spellings = Self.spellings(of: word)
    for phrase in allowed.flatMap(Self.spellings) { rest = rest.replacing(phrase, with: " ") }
    return spellings.flatMap { rest.ranges(of: $0) }.contains { range in
      let before = rest[..<range.lowerBound].last
      let after = rest[range.upperBound...].first
      return before?.isLetter != true && after?.isLetter != true
    }
  }

  /// As it is, and as the first words of a sentence.
  private static func spellings(of words: String) -> [String] {
    [words, words.prefix(1).uppercased() + words.dropFirst()]
  }

  static let all = [
    Wording(
      "behind",
      allowed: [
        "left behind", "leave behind", "leaves it behind", "leaves nothing behind",
        "leave nothing behind", "leaves its server behind", "stays behind", "falls behind",
        "fallen behind", "fallen far behind", "clock is behind", "clocks that are behind",
        "? \"behind\" : \"ahead\"", "behind a lock", "behind one lock", "behind our lock",
        "behind Docker", "behind TLS", "behind its trait", "the rule behind a refusal",
        "what is behind it", "lost behind a crowd",
      ], instead: "after, below or under"),
    Wording("is none", allowed: ["there is none"], instead: "is not one"),
    Wording("whoever", instead: "the one that, or the caller"),
    Wording("anew", instead: "again"),
    Wording(
      "stands", allowed: ["stands for", "`resource` stands", "stands still", "stands alone"],
      instead: "is, or is written"),
    Wording("of its own accord", instead: "without being asked"),
    Wording("is told", instead: "gets, or is reported to"),
  ]
}
