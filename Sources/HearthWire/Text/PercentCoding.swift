/// Percent-encoding of URLs and of `application/x-www-form-urlencoded` values.
package enum PercentCoding {
  /// Decodes `%XX`; what is not an escape stays as it is, what is not UTF-8 becomes U+FFFD.
  package static func decode(_ text: some StringProtocol) -> String {
    var text = String(text)
    return text.withUTF8 { decode($0[...], plusAsSpace: false) }
  }

  static func decode(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, plusAsSpace: Bool)
    -> String
  {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
        let value = Hex.byte(bytes[index + 1], low: bytes[index + 2])
      {
        output.append(value)
        index += 3
      } else {
        output.append(plusAsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Encodes as HTML forms do: a space becomes `+`.
  package static func encodeForm(_ text: String) -> String {
    encode(text, spaceAsPlus: true) { byte in
      byte.isASCIIAlphanumeric || "*-._".utf8.contains(byte)
    }
  }

  /// Encodes everything but the unreserved characters of RFC 3986.
  package static func encodeComponent(_ text: String) -> String {
    encode(text, spaceAsPlus: false) { byte in
      byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte)
    }
  }

  private static func encode(
    _ text: String, spaceAsPlus: Bool, keeping isPlain: (UInt8) -> Bool
  ) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      if isPlain(byte) {
        output.append(byte)
      } else if spaceAsPlus && byte == UInt8(ascii: " ") {
        output.append(UInt8(ascii: "+"))
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(Hex.digit(byte >> 4, uppercase: true))
        output.append(Hex.digit(byte & 0xF, uppercase: true))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
