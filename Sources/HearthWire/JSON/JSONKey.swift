/// A member's name as JSON has it: a sequence of characters, of which Swift takes some for equal
/// that are not (`é` as one character, and as a letter with a mark).
struct JSONKey: Hashable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (left: JSONKey, right: JSONKey) -> Bool { isSame(left.text, right.text) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  static func isSame(_ left: String, _ right: String) -> Bool { left.hasSameBytes(as: right) }
}
