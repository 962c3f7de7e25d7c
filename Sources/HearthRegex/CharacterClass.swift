/// A set of characters, such as `[a-z_]`, `\d` or `\p{Greek}`.
struct CharacterClass {
  private var ranges: [ClosedRange<UInt32>] = []
  private var properties: [(property: UnicodeProperty, isNegated: Bool)] = []
  var isNegated = false
  let ignoresCase: Bool

  init(ignoresCase: Bool) { self.ignoresCase = ignoresCase }

  mutating func insert(_ range: ClosedRange<Unicode.Scalar>) {
    ranges.append(range.lowerBound.value...range.upperBound.value)
  }

  mutating func insert(_ property: UnicodeProperty, isNegated: Bool) {
    properties.append((property, isNegated))
  }

  /// All of them, or all that are none of them.
  mutating func insert(_ named: [ClosedRange<Unicode.Scalar>], isNegated: Bool) {
    guard isNegated else {
      for range in named { insert(range) }
      return
    }
    var next: UInt32 = 0
    for range in named.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound.value > next { ranges.append(next...range.lowerBound.value - 1) }
      next = range.upperBound.value + 1
    }
    ranges.append(next...0x10FFFF)
  }

  func contains(_ scalar: Unicode.Scalar, work: inout RegexWork) throws(RegexError) -> Bool {
    // Ranges are tried one after the other.
    try work.spend(ranges.count / 16 + (ignoresCase ? 6 : 0))
    if try holds(scalar, work: &work) { return !isNegated }
    guard ignoresCase else { return isNegated }
    for mapping in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
      guard let other = mapping.unicodeScalars.first, mapping.unicodeScalars.count == 1,
        other != scalar
      else { continue }
      if try holds(other, work: &work) { return !isNegated }
    }
    return isNegated
  }

  private func holds(_ scalar: Unicode.Scalar, work: inout RegexWork) throws(RegexError) -> Bool {
    if ranges.contains(where: { $0.contains(scalar.value) }) { return true }
    for (property, isNegated) in properties
    where try property.contains(scalar, work: &work) != isNegated { return true }
    return false
  }
}

extension CharacterClass {
  /// What `\d`, `\w` and `\s` stand for: ASCII only.
  static func ranges(ofEscape letter: Unicode.Scalar) -> [ClosedRange<Unicode.Scalar>]? {
    switch letter {
    case "d", "D": ["0"..."9"]
    case "w", "W": ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"]
    case "s", "S": ["\t"..."\n", "\u{0C}"..."\r", " "..." "]
    default: nil
    }
  }

  /// The names in `[:alpha:]`.
  static let posix: [String: [ClosedRange<Unicode.Scalar>]] = [
    "alnum": ["0"..."9", "A"..."Z", "a"..."z"], "alpha": ["A"..."Z", "a"..."z"],
    "ascii": ["\0"..."\u{7F}"], "blank": ["\t"..."\t", " "..." "],
    "cntrl": ["\0"..."\u{1F}", "\u{7F}"..."\u{7F}"], "digit": ["0"..."9"], "graph": ["!"..."~"],
    "lower": ["a"..."z"], "print": [" "..."~"],
    "punct": ["!"..."/", ":"..."@", "["..."`", "{"..."~"], "space": ["\t"..."\r", " "..." "],
    "upper": ["A"..."Z"], "word": ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"],
    "xdigit": ["0"..."9", "A"..."F", "a"..."f"],
  ]
}

/// `\p{…}` as Swift's `Regex` understands it, asked once for each character. It remembers the answers
/// without a lock: a pattern belongs to one evaluation.
final class UnicodeProperty {
  private let regex: Regex<AnyRegexOutput>
  private var known: [Unicode.Scalar: Bool] = [:]

  init?(named name: String) {
    guard !name.isEmpty, name.unicodeScalars.allSatisfy(\.isWord),
      let regex = try? Regex("\\p{\(name)}").matchingSemantics(.unicodeScalar)
    else { return nil }
    self.regex = regex
  }

  func contains(_ scalar: Unicode.Scalar, work: inout RegexWork) throws(RegexError) -> Bool {
    if let answer = known[scalar] { return answer }
    // To ask costs microseconds.
    try work.spend(50)
    let answer = (try? regex.wholeMatch(in: String(Character(scalar)))) ?? nil != nil
    known[scalar] = answer
    return answer
  }
}
