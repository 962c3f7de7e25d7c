/// A member's name as JSON has it: a sequence of characters, of which Swift takes some for equal
/// that are not (`é` as one character, and as a letter with a mark).
struct JSONKey: Hashable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (left: JSONKey, right: JSONKey) -> Bool { isSame(left.text, right.text) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// Asked for nearly every field of every request: the length says no most of the time, and then
  /// Swift's own comparison, which is faster than this one to the letter.
  static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left == right && left.utf8.elementsEqual(right.utf8)
  }
}
