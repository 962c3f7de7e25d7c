import HearthSQLite
import HearthWire

/// A phone number as accounts keep it and are found by it. Compared byte by byte, as the store does.
struct PhoneNumber: Sendable, Hashable {
  let text: String

  /// Anything that begins with a plus sign; as loose as the official emulator.
  init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "+") else { return nil }
    self.text = text
  }

  /// A number whose form is not checked: one to look up, or one of the store.
  init(unchecked text: String) { self.text = text }

  /// The number of which only the last four digits can be read.
  var obfuscated: String {
    var kept = 4
    var output: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars.reversed() {
      guard ("0"..."9").contains(scalar) else {
        output.append(scalar)
        continue
      }
      output.append(kept > 0 ? scalar : "*")
      kept -= 1
    }
    return String(String.UnicodeScalarView(output.reversed()))
  }

  static func == (one: PhoneNumber, other: PhoneNumber) -> Bool {
    one.text.hasSameBytes(as: other.text)
  }

  var json: JSON { .string(text) }
}

extension PhoneNumber: Storable {
  var stored: StoredValue { text.stored }
}

extension Optional where Wrapped == PhoneNumber {
  /// The number as JSON, or nothing, so that an answer leaves the key out.
  var json: JSON? { map(\.json) }
}
