import HearthErrors
import HearthOperations
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

  /// As production reads it: separators are left out, letters are the digits of their keys.
  init?(normalizing text: String) {
    guard text.utf8.first == UInt8(ascii: "+") else { return nil }
    var digits = ""
    for scalar in text.unicodeScalars.dropFirst() {
      switch scalar {
      case "0"..."9": digits.unicodeScalars.append(scalar)
      case " ", "-", ".", "(", ")", "/": continue
      default:
        guard let digit = Self.key(of: scalar) else { return nil }
        digits.append(digit)
      }
    }
    guard (7...15).contains(digits.count), !digits.hasPrefix("0") else { return nil }
    self.text = "+" + digits
  }

  /// The digit of a telephone's key with that letter.
  private static func key(of letter: Unicode.Scalar) -> Character? {
    let keys: [(Character, String)] = [
      ("2", "abc"), ("3", "def"), ("4", "ghi"), ("5", "jkl"), ("6", "mno"), ("7", "pqrs"),
      ("8", "tuv"), ("9", "wxyz"),
    ]
    let lower = letter.properties.lowercaseMapping
    return keys.first { $0.1.unicodeScalars.contains { String($0) == lower } }?.0
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

extension ProjectTransaction {
  /// The number that a client gives, if it is one.
  func phoneNumber(_ text: String) throws(APIError) -> PhoneNumber? {
    switch try answers {
    case .emulator: PhoneNumber(text)
    case .production: PhoneNumber(normalizing: text)
    }
  }
}
