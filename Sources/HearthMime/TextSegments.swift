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
      (units, count) = Self.parts(septets, alone: 160, joined: 153)
    } else {
      encoding = .ucs2
      let widths = text.unicodeScalars.map { $0.value > 0xFFFF ? 2 : 1 }
      (units, count) = Self.parts(widths, alone: 70, joined: 67)
    }
  }

  /// A character of two units is in one part: an escape stays before what it escapes, and so do the
  /// halves of an emoji.
  private static func parts(
    _ widths: [Int], alone: Int, joined: Int
  ) -> (units: Int, count: Int) {
    let units = widths.reduce(0, +)
    guard units > alone else { return (units, 1) }
    var (count, used) = (1, 0)
    for width in widths {
      if used + width > joined { (count, used) = (count + 1, 0) }
      used += width
    }
    return (units, count)
  }

  /// How many septets each character takes. Nil for a text with one that the alphabet does not have.
  private static func septets(_ text: String) -> [Int]? {
    var widths: [Int] = []
    for scalar in text.unicodeScalars {
      if basic.contains(scalar) {
        widths.append(1)
      } else if extended.contains(scalar) {
        widths.append(2)
      } else {
        return nil
      }
    }
    return widths
  }

  /// 3GPP TS 23.038, the default alphabet and its extension.
  private static let basic = Set(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ"
      + "ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
  private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)
}
