/// Percent-encoding of URLs and of `application/x-www-form-urlencoded` values.
package enum PercentCoding {
  /// Decodes `%XX`; what is not an escape stays as it is, what is not UTF-8 becomes U+FFFD.
  package static func decode(_ text: some StringProtocol) -> String {
    var text = String(text)
    return text.withUTF8 { decode($0[...], plusAsSpace: false) }
  }

  fileprivate static func decode(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, plusAsSpace: Bool)
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
        let high = Hex.value(of: bytes[index + 1]), let low = Hex.value(of: bytes[index + 2])
      {
        output.append(high << 4 | low)
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
      isAlphanumeric(byte) || "*-._".utf8.contains(byte)
    }
  }

  /// Encodes everything but the unreserved characters of RFC 3986.
  package static func encodeComponent(_ text: String) -> String {
    encode(text, spaceAsPlus: false) { byte in
      isAlphanumeric(byte) || "-._~".utf8.contains(byte)
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

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

/// The name-value pairs of a query string or form, in order.
package struct FormFields: Sendable, Equatable {
  package var pairs: [Pair]

  package struct Pair: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(_ pairs: [Pair] = []) { self.pairs = pairs }

  package init(parsing text: some StringProtocol) {
    var text = String(text)
    pairs = text.withUTF8 { bytes in
      bytes.split(separator: UInt8(ascii: "&")).map { part in
        let mark = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        return Pair(
          name: PercentCoding.decode(part[..<mark], plusAsSpace: true),
          value: PercentCoding.decode(part[mark...].dropFirst(), plusAsSpace: true))
      }
    }
  }

  /// The first value of that name.
  package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// The pairs but for those whose name came before.
  package var uniquePairs: [Pair] {
    var names: Set<String> = []
    return pairs.filter { names.insert($0.name).inserted }
  }

  /// Replaces the pairs of that name where the first one is, as `URLSearchParams` does.
  package mutating func set(_ pair: Pair) {
    guard let index = pairs.firstIndex(where: { $0.name == pair.name }) else {
      pairs.append(pair)
      return
    }
    pairs[index] = pair
    let rest = pairs[(index + 1)...].filter { $0.name != pair.name }
    pairs.replaceSubrange((index + 1)..., with: rest)
  }

  package func values(of name: String) -> [String] {
    pairs.filter { $0.name == name }.map(\.value)
  }

  package var text: String {
    pairs.map {
      PercentCoding.encodeForm($0.name) + "=" + PercentCoding.encodeForm($0.value)
    }.joined(separator: "&")
  }
}
