/// What counts as an e-mail address, a phone number, a password.
///
/// Deliberately as loose as the official emulator: what it takes, tests rely on.
enum Formats {
  /// Exactly one `@` with something on either side.
  static func isEmail(_ text: String) -> Bool {
    // Not by characters: a mark behind the sign joins it.
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
  }

  static func isPhoneNumber(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "+") }

  /// Addresses are compared and stored in lower case, nothing else.
  static func canonicalEmail(_ text: String) -> String {
    text.unicodeScalars.contains("\u{3A3}") ? lowercasedGreek(text) : text.lowercased()
  }

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

  /// Lengths count UTF-16 code units, as the clients do.
  static func isWeakPassword(_ text: String) -> Bool { text.utf16.count < 6 }

  /// A phone number of which only the last four digits can be read.
  static func obfuscated(phoneNumber: String) -> String {
    var kept = 4
    var output: [Unicode.Scalar] = []
    for scalar in phoneNumber.unicodeScalars.reversed() {
      guard ("0"..."9").contains(scalar) else {
        output.append(scalar)
        continue
      }
      output.append(kept > 0 ? scalar : "*")
      kept -= 1
    }
    return String(String.UnicodeScalarView(output.reversed()))
  }
}
