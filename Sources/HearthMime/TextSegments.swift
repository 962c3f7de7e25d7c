/// How a text message travels: its alphabet, and the parts that it is cut into.
package struct TextSegments: Sendable, Equatable {
  package enum Encoding: String, Sendable {
    case gsm7 = "GSM-7"
    case ucs2 = "UCS-2"
  }

  package let encoding: Encoding
  /// What counts: septets, or units of 16 bits.
  package let units: Int
  package let count: Int

  package init(_ text: String) {
    if let septets = Self.septets(text) {
      encoding = .gsm7
      units = septets
      count = Self.parts(septets, alone: 160, joined: 153)
    } else {
      encoding = .ucs2
      units = text.utf16.count
      count = Self.parts(units, alone: 70, joined: 67)
    }
  }

  private static func parts(_ units: Int, alone: Int, joined: Int) -> Int {
    units <= alone ? 1 : (units + joined - 1) / joined
  }

  /// Nil for a text with a character that the alphabet does not have.
  private static func septets(_ text: String) -> Int? {
    var count = 0
    for scalar in text.unicodeScalars {
      if basic.contains(scalar) {
        count += 1
      } else if extended.contains(scalar) {
        count += 2
      } else {
        return nil
      }
    }
    return count
  }

  /// 3GPP TS 23.038, the default alphabet and its extension.
  private static let basic = Set(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ"
      + "ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
  private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)
}
