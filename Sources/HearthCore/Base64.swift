/// Hexadecimal digits.
package enum Hex {
  package static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  package static func digit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: uppercase ? "A" : "a") + value - 10
  }
}

/// Base64 in the two alphabets of RFC 4648.
package enum Base64 {
  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let url = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The standard alphabet with padding, as in PEM files and pending credentials.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var output = encoded(bytes, standard)
    while output.count % 4 != 0 { output.append(UInt8(ascii: "=")) }
    return String(decoding: output, as: UTF8.self)
  }

  /// The URL-safe alphabet without padding, as in JWTs.
  package static func encodeURL(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: encoded(bytes, url), as: UTF8.self)
  }

  private static func encoded(_ bytes: some Collection<UInt8>, _ alphabet: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        output.append(alphabet[Int(bits >> UInt32(count) & 0x3F)])
      }
    }
    if count > 0 { output.append(alphabet[Int(bits << UInt32(6 - count) & 0x3F)]) }
    return output
  }

  /// Decodes either alphabet, padded or not; nil for anything else.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // Six left-over bits are half a group: no byte string encodes to that.
    guard count < 6, padding <= 2 else { return nil }
    return output
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
