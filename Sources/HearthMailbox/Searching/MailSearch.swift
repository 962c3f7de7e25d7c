package import HearthErrors
import HearthTime

/// A search in the mailbox, such as `from:shop subject:"your order" -is:read`. All terms must hold.
package struct MailSearch: Sendable, Equatable {
  struct Term: Sendable, Equatable {
    let condition: Condition
    let isExcluded: Bool
  }

  enum Condition: Sendable, Equatable {
    /// Anywhere in addresses, subject, text, and names of attachments.
    case words(String)
    case text(Field, String)
    case tag(String)
    case source(String)
    case type(String)
    case state(Message.State)
    case delivery(MailDelivery.State)
    case read(Bool)
    case tagged
    case has(Part)
    case after(Timestamp)
    case before(Timestamp)
    case larger(Int64)
    case smaller(Int64)
  }

  enum Field: String, Sendable, CaseIterable {
    case from, to, cc, bcc, subject, code, link
  }

  enum Part: String, Sendable, CaseIterable {
    case attachment, code, link
  }

  /// What a search may have: each term is looked for in every message.
  private static let mostTerms = 20

  let text: String
  let terms: [Term]

  /// - Throws: `INVALID_ARGUMENT`, which names the term that is not understood.
  package init(_ text: String) throws(APIError) {
    var terms: [Term] = []
    for word in try SearchWord.split(text) {
      terms.append(Term(condition: try Self.condition(word), isExcluded: word.isExcluded))
    }
    guard terms.count <= Self.mostTerms else {
      throw APIError(.invalidArgument, detail: "a search has at most \(Self.mostTerms) terms")
    }
    self.terms = terms
    self.text = text
  }

  private static let operators =
    Field.allCases.map(\.rawValue) + [
      "tag", "is", "has", "after", "before", "larger", "smaller", "source", "type", "state",
    ]

  private static func condition(_ word: SearchWord) throws(APIError) -> Condition {
    guard let name = word.name else { return .words(word.value) }
    guard operators.contains(name) else {
      throw refusal("unknown operator \"\(name):\"", known: operators)
    }
    guard !word.value.isEmpty else {
      throw APIError(.invalidArgument, detail: "search: \"\(name):\" needs a value")
    }
    if let field = Field(rawValue: name) { return .text(field, word.value) }
    return try special(name, value: word.value)
  }

  private static func special(_ name: String, value: String) throws(APIError) -> Condition {
    let lowered = value.lowercased()
    switch name {
    case "tag": return .tag(value)
    case "is": return try property(lowered)
    case "has":
      guard let part = Part(rawValue: lowered) else {
        throw refusal("unknown \"has:\(value)\"", known: Part.allCases.map(\.rawValue))
      }
      return .has(part)
    case "after": return .after(try time(name, value: value))
    case "before": return .before(try time(name, value: value))
    case "larger": return .larger(try size(name, value: lowered))
    case "smaller": return .smaller(try size(name, value: lowered))
    case "source":
      let known =
        [Message.ownSource] + ReceivedMail.Source.allCases.map(\.rawValue)
        + AppMessage.sources
      guard known.contains(lowered) else {
        throw refusal("unknown source \"\(value)\"", known: known)
      }
      return .source(lowered)
    case "type":
      guard let type = Message.type(named: value) else {
        throw refusal("unknown type \"\(value)\"", known: Message.types)
      }
      return .type(type)
    default: return try state(value)
    }
  }

  private static func property(_ value: String) throws(APIError) -> Condition {
    switch value {
    case "read": return .read(true)
    case "unread": return .read(false)
    case "tagged": return .tagged
    default: throw refusal("unknown \"is:\(value)\"", known: ["read", "unread", "tagged"])
    }
  }

  private static func state(_ value: String) throws(APIError) -> Condition {
    let lowered = value.lowercased()
    if let state = Message.State(rawValue: lowered) { return .state(state) }
    if let state = MailDelivery.State.allCases.first(where: {
      $0.rawValue.lowercased() == lowered
    }) {
      return .delivery(state)
    }
    throw refusal(
      "unknown state \"\(value)\"",
      known: Message.State.allCases.map(\.rawValue) + MailDelivery.State.allCases.map(\.rawValue))
  }

  private static func time(_ name: String, value: String) throws(APIError) -> Timestamp {
    // A day begins at midnight of UTC.
    let text = value.count == 10 ? value + "T00:00:00Z" : value
    guard let time = Timestamp(iso8601: text) else {
      throw APIError(
        .invalidArgument,
        detail: "search: \"\(name):\" needs a day such as 2027-01-31, or a time such as "
          + "2027-01-31T09:30:00Z")
    }
    return time
  }

  private static func size(_ name: String, value: String) throws(APIError) -> Int64 {
    let units: [Character: Int64] = ["k": 1 << 10, "m": 1 << 20]
    let unit = value.last.flatMap { units[$0] }
    guard let number = Int64(unit == nil ? value : String(value.dropLast())),
      (0...1_000_000_000).contains(number)
    else {
      throw APIError(
        .invalidArgument,
        detail: "search: \"\(name):\" needs a number of bytes, such as 5000, 200k or 1M")
    }
    return number * (unit ?? 1)
  }

  private static func refusal(_ words: String, known: [String]) -> APIError {
    APIError(
      .invalidArgument, detail: "search: \(words); known are \(known.joined(separator: ", "))")
  }
}

/// One term as it is written: `word`, `"two words"`, `-word`, `name:value`, `name:"a value"`.
struct SearchWord {
  var name: String?
  var value = ""
  var isExcluded = false

  static func split(_ text: String) throws(APIError) -> [SearchWord] {
    var words: [SearchWord] = []
    var rest = text[...]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { return words }
      words.append(try next(&rest))
    }
  }

  private static func next(_ rest: inout Substring) throws(APIError) -> SearchWord {
    var word = SearchWord()
    if let sign = rest.first, sign == "-" || sign == "!", rest.count > 1,
      rest.dropFirst().first?.isWhitespace == false
    {
      word.isExcluded = true
      rest = rest.dropFirst()
    }
    let letters = rest.prefix { $0.isASCII && $0.isLetter }
    let after = rest[letters.endIndex...]
    // The colon in a web address does not make an operator of what precedes it.
    if !letters.isEmpty, after.first == ":", !after.hasPrefix("://") {
      word.name = letters.lowercased()
      rest = after.dropFirst()
    }
    guard rest.first == "\"" else {
      let value = rest.prefix { !$0.isWhitespace }
      word.value = String(value)
      rest = rest[value.endIndex...]
      return word
    }
    let value = rest.dropFirst().prefix { $0 != "\"" }
    guard value.endIndex < rest.endIndex else {
      throw APIError(
        .invalidArgument, detail: "search: the quotation mark before \(value) is not closed")
    }
    word.value = String(value)
    rest = rest[value.endIndex...].dropFirst()
    return word
  }
}
