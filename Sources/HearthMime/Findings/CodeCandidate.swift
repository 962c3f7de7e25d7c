/// A word of a mail that could be a code.
struct CodeCandidate {
  /// As a person types it.
  var value: String
  var line: Int
  /// Where it is in its line.
  var range: Range<Int>
  /// Digits alone, or capitals with digits. Others need to stand alone beside a keyword.
  var isUsual: Bool
  var score = 0.0
  var reasons: [String] = []

  mutating func raise(by points: Double, _ reason: String) {
    score += points
    reasons.append(reason)
  }

  mutating func lower(by points: Double, _ reason: String) { raise(by: -points, reason) }
}

/// Finds words that have the form of a code in one line.
struct CodeScanner {
  private static let mostOfALine = 50

  private let line: Int
  private let scalars: [Unicode.Scalar]
  private var masked: [Bool]
  private(set) var found: [CodeCandidate] = []

  init(_ scalars: [Unicode.Scalar], line: Int) {
    self.line = line
    self.scalars = scalars
    masked = [Bool](repeating: false, count: scalars.count)
    guard scalars.contains(where: { $0.isDigit }) || line > 0 else { return }
    maskAddresses()
    var index = 0
    while index < scalars.count, found.count < Self.mostOfALine {
      if masked[index] || !scalars[index].isASCIIAlphanumeric {
        index += 1
      } else {
        index = take(from: index)
      }
    }
  }

  // MARK: What is not looked at

  /// URLs, addresses of mail and of machines.
  private mutating func maskAddresses() {
    var start = 0
    for index in 0...scalars.count where index == scalars.count || scalars[index] == " " {
      let word = scalars[start..<index]
      if let range = Self.address(word) {
        for position in range { masked[position] = true }
      }
      start = index + 1
    }
  }

  private static func address(_ word: ArraySlice<Unicode.Scalar>) -> Range<Int>? {
    // An address ends where another script begins.
    func run(around index: Int) -> Range<Int> {
      var (lower, upper) = (index, index)
      while lower > word.startIndex, isOfAddress(word[lower - 1]) { lower -= 1 }
      while upper < word.endIndex, isOfAddress(word[upper]) { upper += 1 }
      return lower..<upper
    }
    if word.contains("@"), let at = word.firstIndex(of: "@") { return run(around: at) }
    guard let slash = word.firstIndex(of: "/") else { return nil }
    let range = run(around: slash)
    let text = word[range]
    let isURL = word[slash...].starts(with: "//".unicodeScalars)
    return isURL || text[..<slash].contains(".") ? range : nil
  }

  private static func isOfAddress(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.value > 0x20 && !"<>\"()[]".unicodeScalars.contains(scalar)
  }

  // MARK: Words

  private func isOfWord(_ index: Int) -> Bool {
    index < scalars.count && scalars[index].isASCIIAlphanumeric && !masked[index]
  }

  /// A run of letters and digits, with single hyphens within it.
  private func wordEnd(_ start: Int) -> Int {
    var end = start
    while isOfWord(end) || (end < scalars.count && scalars[end] == "-" && isOfWord(end + 1)) {
      end += 1
    }
    return end
  }

  /// Takes the word at an index, or skips it. Returns where to go on.
  private mutating func take(from start: Int) -> Int {
    if let end = takeSpacedDigits(start) { return end }
    let end = wordEnd(start)
    let groups = digitGroups(start)
    let sizes = groups.map(\.count)
    if groups.count > 2 {
      let end = groups[groups.count - 1].upperBound
      if sizes == [2, 2, 2] { add(start..<end, value: digits(groups)) }
      return end
    }
    if isPartOfNumber(start, end: end) { return skipNumber(end) }
    if groups.count == 2 {
      if sizes == [3, 3] || sizes == [4, 4] {
        add(start..<groups[1].upperBound, value: digits(groups))
      }
      return groups[1].upperBound
    }
    takeWord(start..<end)
    return end
  }

  private func digits(_ groups: [Range<Int>]) -> String {
    groups.map { text($0) }.joined()
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  /// `4 8 2 9 1 3`.
  private mutating func takeSpacedDigits(_ start: Int) -> Int? {
    var positions = [start]
    // One more than a code has: a line of single letters is not gone through again from each of them.
    while positions.count < 9, let last = positions.last, last + 2 < scalars.count,
      scalars[last + 1] == " ", isOfWord(last + 2)
    {
      positions.append(last + 2)
    }
    let single = positions.allSatisfy { scalars[$0].isDigit && !isOfWord($0 + 1) }
    guard positions.count >= 4, positions.count <= 8, single else { return nil }
    let value = String(String.UnicodeScalarView(positions.map { scalars[$0] }))
    let end = positions[positions.count - 1] + 1
    add(start..<end, value: value)
    return end
  }

  /// Groups of digits that single marks separate, from a digit on: a number of a telephone or an
  /// account if there are more than two.
  private func digitGroups(_ start: Int) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var index = start
    while isOfWord(index), scalars[index].isDigit {
      var end = index
      while isOfWord(end), scalars[end].isDigit { end += 1 }
      guard !isOfWord(end) else { break }
      groups.append(index..<end)
      guard end < scalars.count, "-. /)".unicodeScalars.contains(scalars[end]) else { break }
      index = end + 1
      if scalars[end] == ")", index < scalars.count, scalars[index] == " " { index += 1 }
    }
    return groups
  }

  /// Whether the digits belong to an amount, a time, a version, a colour or a telephone number.
  private func isPartOfNumber(_ start: Int, end: Int) -> Bool {
    if start > 0 {
      let before = scalars[start - 1]
      if "+#$€£¥₹₩%_/\\&".unicodeScalars.contains(before) { return true }
      if ".,:".unicodeScalars.contains(before), start > 1, scalars[start - 2].isDigit {
        return true
      }
      if before == "-", start > 1, isOfWord(start - 2) { return true }
      if before == " ", start > 1, "$€£¥₹₩+".unicodeScalars.contains(scalars[start - 2]) {
        return true
      }
    }
    guard end < scalars.count else { return false }
    if "%€£$°_\\=".unicodeScalars.contains(scalars[end]) { return true }
    if ".,:/".unicodeScalars.contains(scalars[end]), end + 1 < scalars.count,
      scalars[end + 1].isDigit
    {
      return true
    }
    return end + 1 < scalars.count && scalars[end] == " "
      && "€£$¥₹₩".unicodeScalars.contains(scalars[end + 1])
  }

  private func skipNumber(_ start: Int) -> Int {
    var end = start
    while end < scalars.count, isOfWord(end) || ".,:/-".unicodeScalars.contains(scalars[end]) {
      end += 1
    }
    return max(end, start)
  }

  private mutating func takeWord(_ range: Range<Int>) {
    var word = scalars[range]
    // Some senders put a letter of theirs in front.
    if word.count > 5, word.first?.isCapital == true, word[range.lowerBound + 1] == "-",
      word.dropFirst(2).allSatisfy(\.isDigit)
    {
      word = word.dropFirst(2)
    }
    let parts = word.split(separator: "-")
    let hasDigit = word.contains { $0.isDigit }
    let isPlain = parts.count == 1
    if isPlain, word.allSatisfy(\.isDigit) {
      if (4...8).contains(word.count) { add(range, value: text(word.startIndex..<word.endIndex)) }
      return
    }
    let isUpper = word.allSatisfy { $0.isCapital || $0.isDigit || $0 == "-" }
    let hasLetter = word.contains { !$0.isDigit && $0 != "-" }
    if isPlain {
      // In subjects such words are names: "nest10".
      guard hasDigit, hasLetter, (5...12).contains(word.count), isUpper || line > 0 else { return }
      return add(range, value: text(range), isUsual: isUpper && (6...10).contains(word.count))
    }
    guard (2...3).contains(parts.count), parts.allSatisfy({ (3...5).contains($0.count) }) else {
      return
    }
    if isUpper, hasLetter { add(range, value: text(range), isUsual: hasDigit && parts.count == 2) }
  }

  private mutating func add(_ range: Range<Int>, value: String, isUsual: Bool = true) {
    found.append(CodeCandidate(value: value, line: line, range: range, isUsual: isUsual))
  }
}
