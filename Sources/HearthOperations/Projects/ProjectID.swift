package import HearthErrors

/// What may be the id of a project.
///
/// Looser than Google's rules: tests use all kinds of names. What cannot stand in a path, or would
/// hide in a log, is refused.
package enum ProjectID {
  private static let largest = 128

  package static func isUsable(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= largest, text != ".", text != ".." else { return false }
    var isASCII = true
    for byte in text.utf8 {
      guard byte > 0x20, byte != 0x7F, !isRefused(byte) else { return false }
      if byte >= 0x80 { isASCII = false }
    }
    return isASCII || text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private static func isRefused(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"),
      UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"):
      true
    default: false
    }
  }

  /// Whether it is one that nobody has chosen, as test libraries make them for each test: `demo-`,
  /// and at its end 12 hexadecimal digits or more.
  package static func isRandom(_ text: String) -> Bool {
    guard text.hasPrefix("demo-") else { return false }
    let end = text.utf8.dropFirst("demo-".utf8.count).filter { $0 != UInt8(ascii: "-") }.suffix(12)
    return end.count == 12 && end.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
      && end.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  package static func check(_ text: String?) throws(APIError) {
    guard let text else { return }
    // Such as that of a variable that is not set. It must not reach the default project.
    guard !text.isEmpty else { throw APIError(.invalidArgument, detail: "the project id is empty") }
    guard isUsable(text) else {
      throw APIError(
        .invalidArgument,
        detail:
          "a project id has at most \(largest) bytes, and none of / ? # % \" < > \\, spaces and "
          + "control characters")
    }
  }
}
