/// Finds the code of a mail: every number and word of that form gets points from what is around it.
struct CodeSearch {
  /// A candidate with fewer points is not the code.
  static let least = 3.0
  private static let mostCandidates = 300

  /// The likeliest first. Each value is there once.
  private(set) var candidates: [CodeCandidate] = []

  private let content: MailContent
  private let hasKeyword: [Bool]

  init(_ content: MailContent) {
    self.content = content
    var found: [CodeCandidate] = []
    for (index, line) in content.lines.enumerated() where found.count < Self.mostCandidates {
      found += CodeScanner(line.scalars, line: index).found
    }
    guard !found.isEmpty else {
      hasKeyword = []
      return
    }
    hasKeyword = content.lines.map { line in
      line.sentences.contains { Self.plainKeywords(line.scalars[$0]).isEmpty == false }
    }
    let isAboutCodes = hasKeyword.contains(true)
    let isOnlyOne = Set(found.map(\.value)).count == 1
    found = found.map { candidate in
      var candidate = scored(candidate)
      if isOnlyOne { raiseOnlyOne(&candidate) }
      if !isAboutCodes, !isRequested(candidate) { candidate.lower(by: 2, "no mail about a code") }
      return candidate
    }
    candidates = Self.ranked(found)
  }

  private static func ranked(_ found: [CodeCandidate]) -> [CodeCandidate] {
    var best: [String: CodeCandidate] = [:]
    var order: [String] = []
    for candidate in found {
      if let known = best[candidate.value] {
        if candidate.score > known.score { best[candidate.value] = candidate }
      } else {
        order.append(candidate.value)
        best[candidate.value] = candidate
      }
    }
    // On a tie the earlier one wins: sorting keeps the order.
    return order.enumerated().sorted { first, second in
      let (one, other) = (best[first.element]?.score ?? 0, best[second.element]?.score ?? 0)
      return one == other ? first.offset < second.offset : one > other
    }.compactMap { best[$0.element] }
  }

  /// Keywords, but for those that another word turns into something else: `promo code`.
  private static func plainKeywords(_ sentence: ArraySlice<Unicode.Scalar>) -> [Range<Int>] {
    let keywords = CodeVocabulary.keywords.hits(in: sentence)
    guard !keywords.isEmpty else { return [] }
    let negatives = CodeVocabulary.negatives.hits(in: sentence)
    return keywords.filter { keyword in
      !negatives.contains { distance(keyword, $0) <= 4 }
    }
  }

  private static func distance(_ first: Range<Int>, _ second: Range<Int>) -> Int {
    if first.overlaps(second) { return 0 }
    return first.lowerBound >= second.upperBound
      ? first.lowerBound - second.upperBound : second.lowerBound - first.upperBound
  }

  // MARK: Points

  private func scored(_ candidate: CodeCandidate) -> CodeCandidate {
    var candidate = candidate
    let line = content.lines[candidate.line]
    let isAlone = isAlone(candidate, line: line)
    let isBesideKeyword = scoreWords(&candidate, line: line, isAlone: isAlone)
    if isAlone { candidate.raise(by: 2, "stands alone") }
    scoreForm(&candidate, line: line)
    if !candidate.isUsual, !(isAlone && isBesideKeyword) {
      candidate.lower(by: 4, "has not the form of a code")
    }
    return candidate
  }

  private func isAlone(_ candidate: CodeCandidate, line: MailContent.Line) -> Bool {
    let text = String(String.UnicodeScalarView(line.scalars[candidate.range]))
    if line.pieces.contains(text), line.pieces.count > 1 { return true }
    let isMark: (Unicode.Scalar) -> Bool = { scalar in
      !scalar.properties.isAlphabetic && !scalar.isDigit
    }
    return line.scalars[..<candidate.range.lowerBound].allSatisfy(isMark)
      && line.scalars[candidate.range.upperBound...].allSatisfy(isMark)
  }

  /// Words around the candidate. Returns whether a keyword is beside it.
  private func scoreWords(
    _ candidate: inout CodeCandidate, line: MailContent.Line, isAlone: Bool
  ) -> Bool {
    let range =
      line.sentences.first { $0.contains(candidate.range.lowerBound) } ?? line.scalars.indices
    let sentence = line.scalars[range]
    let keyword = Self.plainKeywords(sentence).map { Self.distance($0, candidate.range) }.min()
    let negative = CodeVocabulary.negatives.hits(in: sentence)
      .map { Self.distance($0, candidate.range) }.min()
    if let keyword {
      candidate.raise(by: keyword <= 20 ? 3.5 : 3, "keyword in the sentence")
      if candidate.line == 0 { candidate.raise(by: 0.5, "in the subject") }
    }
    if let negative {
      let isCloser = keyword.map { negative < $0 && negative <= 30 } ?? true
      candidate.lower(by: isCloser ? 4 : 1, "a word beside it says that it is something else")
    }
    if keyword != nil { return true }
    if isRequested(candidate) { candidate.raise(by: 3, "the sentence says what to use it for") }
    return scoreNeighbours(&candidate, isAlone: isAlone)
  }

  private func scoreNeighbours(_ candidate: inout CodeCandidate, isAlone: Bool) -> Bool {
    let index = candidate.line
    if hasKeyword[index] {
      candidate.raise(by: 2, "keyword in the line")
      return true
    }
    if index > 1, hasKeyword[index - 1] {
      let colons: [Unicode.Scalar] = [":", "\u{FF1A}"]
      let leads = isAlone || content.lines[index - 1].scalars.last.map(colons.contains) ?? false
      candidate.raise(by: leads ? 2 : 1, "keyword in the line before")
      return true
    }
    if isAlone, index > 1, CodeVocabulary.negatives.isIn(content.lines[index - 1].scalars[...]) {
      candidate.lower(by: 4, "the line before says that it is something else")
    }
    if hasKeyword[0], index > 0 { candidate.raise(by: 1, "keyword in the subject") }
    if index + 1 < hasKeyword.count, hasKeyword[index + 1] {
      candidate.raise(by: 1, "keyword in the line after")
      return true
    }
    return hasKeyword[0]
  }

  /// "Your login code" and one number of six digits, whatever is said beside it.
  private func raiseOnlyOne(_ candidate: inout CodeCandidate) {
    guard candidate.line > 0, candidate.value.utf8.count == 6, Int(candidate.value) != nil else {
      return
    }
    let subject = content.lines[0].scalars[...]
    let vague = CodeVocabulary.vague.hits(in: subject)
    guard Self.plainKeywords(subject).contains(where: { !vague.contains($0) }) else { return }
    candidate.raise(by: 1, "the only number, with a keyword in the subject")
  }

  /// Whether digits stand between what asks to use them and what for: "Use 739204 to sign in."
  private func isRequested(_ candidate: CodeCandidate) -> Bool {
    let scalars = content.lines[candidate.line].scalars
    guard Int(candidate.value) != nil, candidate.range.upperBound < scalars.count else {
      return false
    }
    let before = scalars[..<candidate.range.lowerBound].suffix(20)
    let after = scalars[candidate.range.upperBound...].prefix(40)
    let isAsked = CodeVocabulary.requests.hits(in: before).contains {
      $0.upperBound + 1 == before.endIndex
    }
    return isAsked
      && CodeVocabulary.purposes.hits(in: after).contains { $0.lowerBound == after.startIndex + 1 }
  }

  private func scoreForm(_ candidate: inout CodeCandidate, line: MailContent.Line) {
    let value = candidate.value
    if let number = Int(value) {
      if value.utf8.count == 6 { candidate.raise(by: 1, "six digits") }
      if value.utf8.count == 4, (1900...2099).contains(number) {
        candidate.lower(by: 3, "looks like a year")
      }
      if value.utf8.count == 8, (19_000_101...20_991_231).contains(number),
        (1...12).contains(number / 100 % 100), (1...31).contains(number % 100)
      {
        candidate.lower(by: 2, "looks like a date")
      }
    }
    let rest = line.scalars[candidate.range.upperBound...].prefix(20)
    let after = rest.drop { $0 == " " }
    if let first = after.first, first.isWordLetter || first.isUnspaced,
      let unit = CodeVocabulary.units.hits(in: after).first, unit.lowerBound == after.startIndex
    {
      candidate.lower(by: 4, "a unit follows")
    }
  }
}
