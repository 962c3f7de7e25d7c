import HearthSQLite
import HearthWire

/// An e-mail address in the form in which accounts keep it and are found by it: in lower case.
///
/// Compared byte by byte, as the store does.
package struct Email: Sendable, Hashable {
  package let text: String

  /// Exactly one `@` with something on either side; as loose as the official emulator, because tests
  /// rely on what it takes.
  package init?(_ text: String) {
    // Not by characters: a mark after the sign joins it.
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(unchecked: text)
  }

  /// An address whose form is not checked: one to look up, or one that a provider vouches for.
  package init(unchecked text: String) {
    self.text =
      text.unicodeScalars.contains("\u{3A3}") ? Self.lowercasedGreek(text) : text.lowercased()
  }

  /// An address that is in this form already, such as one of the store.
  init(canonical text: String) { self.text = text }

  /// A sigma at the end of a word has a form of its own: JavaScript sees to it, Swift does not.
  /// The rule is `Final_Sigma` of the Unicode standard.
  private static func lowercasedGreek(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    func isLetter(_ scalar: Unicode.Scalar?) -> Bool {
      scalar?.properties.isCased ?? false
    }
    return scalars.indices.map { index in
      guard scalars[index] == "\u{3A3}" else { return scalars[index].properties.lowercaseMapping }
      let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
      let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
      return isLetter(before) && !isLetter(after) ? "\u{3C2}" : "\u{3C3}"
    }.joined()
  }

  package static func == (one: Email, other: Email) -> Bool {
    one.text.hasSameBytes(as: other.text)
  }

  var json: JSON { .string(text) }
}

extension Email: Storable {
  var stored: StoredValue { text.stored }
}

extension Optional where Wrapped == Email {
  /// The address as JSON, or nothing, so that an answer leaves the key out.
  var json: JSON? { map(\.json) }
}
