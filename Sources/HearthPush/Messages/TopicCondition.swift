/// A condition on topics: `'A' in topics && ('B' in topics || !('C' in topics))`.
///
/// Brackets come first, then operators from left to right: none binds more than another.
struct TopicCondition: Sendable {
  indirect enum Term: Sendable {
    case topic(String)
    case not(Term)
    case and(Term, Term)
    case or(Term, Term)
  }

  private let term: Term
  /// In the order in which they are written, each as often as it is.
  let topics: [String]

  static let mostTopics = 5
  private static let deepest = 32

  /// Nil for what is not a condition, or has too many topics.
  init?(_ text: String) {
    guard text.utf8.count <= 2_000 else { return nil }
    var parser = Parser(rest: Array(text.utf8)[...])
    guard let term = parser.expression(depth: 0), parser.isAtEnd,
      (1...Self.mostTopics).contains(parser.topics.count)
    else { return nil }
    self.term = term
    topics = parser.topics
  }

  func holds(for subscribed: Set<String>) -> Bool { Self.holds(term, subscribed: subscribed) }

  private static func holds(_ term: Term, subscribed: Set<String>) -> Bool {
    switch term {
    case .topic(let name): subscribed.contains(name)
    case .not(let inner): !holds(inner, subscribed: subscribed)
    case .and(let left, let right):
      holds(left, subscribed: subscribed) && holds(right, subscribed: subscribed)
    case .or(let left, let right):
      holds(left, subscribed: subscribed) || holds(right, subscribed: subscribed)
    }
  }

  private struct Parser {
    var rest: ArraySlice<UInt8>
    var topics: [String] = []

    var isAtEnd: Bool { mutating get { skipBlanks(); return rest.isEmpty } }

    mutating func expression(depth: Int) -> Term? {
      guard depth < TopicCondition.deepest, var left = unary(depth: depth) else { return nil }
      while true {
        if take("&&") {
          guard let right = unary(depth: depth) else { return nil }
          left = .and(left, right)
        } else if take("||") {
          guard let right = unary(depth: depth) else { return nil }
          left = .or(left, right)
        } else {
          return left
        }
      }
    }

    private mutating func unary(depth: Int) -> Term? {
      if take("!") {
        guard depth < TopicCondition.deepest else { return nil }
        return unary(depth: depth + 1).map { .not($0) }
      }
      if take("(") {
        guard let inner = expression(depth: depth + 1), take(")") else { return nil }
        return inner
      }
      guard let name = quoted(), take("in"), take("topics") else { return nil }
      topics.append(name)
      return topics.count <= TopicCondition.mostTopics ? .topic(name) : nil
    }

    private mutating func quoted() -> String? {
      skipBlanks()
      guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""),
        let end = rest.dropFirst().firstIndex(of: quote)
      else { return nil }
      let name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      return TopicName.isValid(name) ? name : nil
    }

    private mutating func take(_ word: StaticString) -> Bool {
      skipBlanks()
      let bytes = word.withUTF8Buffer { Array($0) }
      guard rest.starts(with: bytes) else { return false }
      rest = rest.dropFirst(bytes.count)
      return true
    }

    private mutating func skipBlanks() {
      rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
  }
}

/// The name of a topic, without `/topics/`.
enum TopicName {
  static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 900
      && name.utf8.allSatisfy { isPart($0) }
  }

  /// A name to subscribe to: it may have `/topics/` in front, and `private/` is a part of it.
  static func bare(_ name: String) -> String? {
    let bare = name.hasPrefix("/topics/") ? String(name.dropFirst(8)) : name
    let last = bare.hasPrefix("private/") ? String(bare.dropFirst(8)) : bare
    return isValid(last) ? bare : nil
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_.~%".utf8.contains(byte)
  }
}
