/// The name-value pairs of a query string or form, in order.
package struct FormFields: Sendable, Equatable {
  package struct Pair: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  package var pairs: [Pair]

  /// The first value of that name.
  package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  init(parsing text: some Collection<UInt8>) {
    pairs = text.split(separator: UInt8(ascii: "&")).map { part in
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      return Pair(
        name: Self.decoded(name), value: Self.decoded(part[name.endIndex...].dropFirst()))
    }
  }

  /// Decodes `%XX` and `+`; what is not an escape stays as it is, what is not UTF-8 becomes U+FFFD.
  private static func decoded(_ text: some Collection<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        output.append(popEscape(from: &rest) ?? byte)
      case UInt8(ascii: "+"):
        output.append(UInt8(ascii: " "))
      default:
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func popEscape<Text: Collection<UInt8>>(from rest: inout Text) -> UInt8?
  where Text.SubSequence == Text {
    var digits = rest
    guard let high = digits.popFirst().flatMap(hexValue),
      let low = digits.popFirst().flatMap(hexValue)
    else { return nil }
    rest = digits
    return high << 4 | low
  }

  private static func hexValue(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
