/// What counts as an e-mail address, a phone number, a password.
///
/// Deliberately as loose as the official emulator: what it takes, tests rely on.
enum Formats {
  /// Exactly one `@` with something on either side.
  static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
  }

  static func isPhoneNumber(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "+") }

  /// Addresses are compared and stored in lower case, nothing else.
  static func canonicalEmail(_ text: String) -> String { text.lowercased() }

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
