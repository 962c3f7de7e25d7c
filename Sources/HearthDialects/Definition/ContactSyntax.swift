import HearthWire

/// Whether a text can be an address or a number at all.
enum ContactSyntax {
  /// The address in lower case; nil when it has no form of `name@domain.tld`.
  static func email(_ text: String) -> String? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].utf8.count),
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && !isForbidden($0) })
    else { return nil }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, labels.allSatisfy(isLabel), !parts[0].hasPrefix("."),
      !parts[0].hasSuffix("."), !parts[0].contains("..")
    else { return nil }
    return text.lowercased()
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    "()<>[]:;,\\\"".unicodeScalars.contains(scalar) || scalar.properties.isWhitespace
  }

  private static func isLabel(_ label: Substring) -> Bool {
    !label.isEmpty && label.first != "-" && label.last != "-"
      && label.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 >= 0x80 }
  }

  /// The number as E.164, without the punctuation that people write.
  static func phone(_ text: String) -> String? {
    let bytes = text.utf8.filter { !" -().".utf8.contains($0) }
    guard bytes.first == UInt8(ascii: "+"), (8...16).contains(bytes.count),
      bytes.dropFirst().allSatisfy(\.isASCIIDigit), bytes.dropFirst().first != UInt8(ascii: "0")
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
