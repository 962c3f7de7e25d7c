/// A piece of a template: words with slots for what differs from mail to mail.
///
/// Literals are cut into parts when the template is made, so that wording a mail only appends.
struct Phrase: ExpressibleByStringInterpolation, Sendable {
  enum Slot: Sendable {
    /// The name of the app; the project's id where it has none.
    case app
    /// The name of the person.
    case name
    /// The code of a text message.
    case code
    /// The address that the account has, or had before a change that can be taken back.
    case address
    /// The address that the account changes, or has changed, to.
    case newAddress
  }

  enum Part: Sendable {
    case words(String)
    case slot(Slot)
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    mutating func appendLiteral(_ words: String) {
      if !words.isEmpty { parts.append(.words(words)) }
    }

    mutating func appendInterpolation(_ slot: Slot) { parts.append(.slot(slot)) }
  }

  let parts: [Part]

  init(stringLiteral words: String) { parts = [.words(words)] }
  init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
}

/// What is in the slots of a message.
struct SlotValues {
  var app: String
  var name = ""
  var code = ""
  var address = ""
  var newAddress = ""

  subscript(slot: Phrase.Slot) -> String {
    switch slot {
    case .app: app
    case .name: name
    case .code: code
    case .address: address
    case .newAddress: newAddress
    }
  }

  /// With each value kept apart from the text around it, as a text from right to left needs it:
  /// addresses and names may run in the other direction, and end in a mark that belongs to neither.
  var isolated: SlotValues { mapped { "\u{2068}\($0)\u{2069}" } }

  func mapped(_ change: (String) -> String) -> SlotValues {
    SlotValues(
      app: change(app), name: change(name), code: code, address: change(address),
      newAddress: change(newAddress))
  }
}

extension String {
  mutating func append(_ phrase: Phrase, _ values: SlotValues) {
    for part in phrase.parts {
      switch part {
      case .words(let words): append(words)
      case .slot(let slot): append(values[slot])
      }
    }
  }
}
