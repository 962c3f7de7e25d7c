/// A piece of a template: words with slots for what differs from mail to mail, such as `{app}`.
///
/// The text is cut into parts when the language is read, so that wording a mail only appends.
struct Phrase: Sendable {
  enum Slot: String, Sendable {
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

  let parts: [Part]

  /// Text in braces that does not name a slot stays as it is.
  init(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let opening = rest.firstIndex(of: "{"),
      let closing = rest[opening...].firstIndex(of: "}"),
      let slot = Slot(rawValue: String(rest[opening...].dropFirst().prefix(upTo: closing)))
    {
      if opening > rest.startIndex { parts.append(.words(String(rest[..<opening]))) }
      parts.append(.slot(slot))
      rest = rest[rest.index(after: closing)...]
    }
    if !rest.isEmpty { parts.append(.words(String(rest))) }
    self.parts = parts
  }
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
  mutating func append(_ phrase: Phrase, values: SlotValues) {
    for part in phrase.parts {
      switch part {
      case .words(let words): append(words)
      case .slot(let slot): append(values[slot])
      }
    }
  }
}
