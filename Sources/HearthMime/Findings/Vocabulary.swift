/// Words of many languages that mean one thing.
struct Vocabulary: Sendable {
  /// Whole words, and phrases of up to three words.
  let words: Set<String>
  /// How words begin, as for languages with endings.
  let beginnings: [String]
  /// How words end, as for languages that join words.
  let endings: [String]
  /// Anywhere: for scripts without blanks.
  let anywhere: [[Unicode.Scalar]]
  /// Phrases with one of these words that mean something else.
  let exceptions: Set<String>

  init(
    words: String = "", beginnings: String = "", endings: String = "", exceptions: String = "",
    anywhere: String = ""
  ) {
    func list(_ text: String) -> [String] {
      text.split(separator: ",").map { String($0).trimmedText }.filter { !$0.isEmpty }
    }
    self.words = Set(list(words))
    self.beginnings = list(beginnings)
    self.endings = list(endings)
    self.exceptions = Set(list(exceptions))
    self.anywhere = list(anywhere).map { Array($0.unicodeScalars) }
  }

  /// Where the words are, in a text that is folded but not in lower case.
  func hits(in scalars: ArraySlice<Unicode.Scalar>) -> [Range<Int>] {
    var hits: [Range<Int>] = []
    let found = Self.words(of: scalars)
    var excepted = 0
    for (index, word) in found.enumerated() {
      if !exceptions.isEmpty, let count = exceptionLength(found[index...]) {
        excepted = index + count
      }
      if index >= excepted, let count = phraseLength(found[index...]) {
        hits.append(word.range.lowerBound..<found[index + count - 1].range.upperBound)
      }
    }
    if scalars.contains(where: \.isUnspaced) { hits += unspacedHits(scalars) }
    return hits
  }

  func isIn(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool { !hits(in: scalars).isEmpty }

  func isIn(_ text: String) -> Bool { isIn(FoldedText.fold(text)[...]) }

  private struct Word {
    var text: String
    var range: Range<Int>
  }

  private static func words(of scalars: ArraySlice<Unicode.Scalar>) -> [Word] {
    var words: [Word] = []
    var start: Int?
    var text = String.UnicodeScalarView()
    func isPart(_ index: Int) -> Bool {
      let scalar = scalars[index]
      if scalar.isWordLetter { return true }
      // An apostrophe within a word.
      guard scalar == "'" || scalar == "\u{2019}" else { return false }
      return start != nil && index + 1 < scalars.endIndex && scalars[index + 1].isWordLetter
    }
    for index in scalars.indices {
      if isPart(index) {
        if start == nil { start = index }
        text.append(scalars[index] == "\u{2019}" ? "'" : FoldedText.lower(scalars[index]))
      } else if let begin = start {
        words.append(Word(text: String(text), range: begin..<index))
        (start, text) = (nil, String.UnicodeScalarView())
      }
    }
    if let start { words.append(Word(text: String(text), range: start..<scalars.endIndex)) }
    return words
  }

  private func exceptionLength(_ found: ArraySlice<Word>) -> Int? {
    (2...4).last { count in
      exceptions.contains(found.prefix(count).map(\.text).joined(separator: " "))
    }
  }

  /// How many words from the first on are one of this vocabulary.
  private func phraseLength(_ found: ArraySlice<Word>) -> Int? {
    guard let first = found.first else { return nil }
    var phrase = first.text
    var length: Int?
    if words.contains(phrase) || beginnings.contains(where: phrase.hasPrefix)
      || endings.contains(where: phrase.hasSuffix)
    {
      length = 1
    }
    for (count, word) in found.dropFirst().prefix(3).enumerated() {
      phrase += " " + word.text
      if words.contains(phrase) { length = count + 2 }
    }
    return length
  }

  private func unspacedHits(_ scalars: ArraySlice<Unicode.Scalar>) -> [Range<Int>] {
    var hits: [Range<Int>] = []
    for word in anywhere {
      guard let first = word.first else { continue }
      for index in scalars.indices where scalars[index] == first {
        if scalars[index...].starts(with: word) { hits.append(index..<(index + word.count)) }
      }
    }
    return hits
  }
}
