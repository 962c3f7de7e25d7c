import HearthWire

/// Text of headers as ASCII: encoded words of RFC 2047, and parameters of RFC 2231.
enum EncodedWord {
  /// Words with blanks between them, of which those that need it are encoded.
  static func words(_ text: String) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 } && !text.contains("=?")
    guard !isPlain || words.contains(where: { $0.utf8.count > 900 }) else { return words }
    return encoded(text)
  }

  /// A name before an address.
  static func phrase(_ text: String) -> [String] {
    guard text.utf8.allSatisfy({ $0 < 0x80 }), !text.contains("=?") else { return encoded(text) }
    let isAtoms = text.utf8.allSatisfy {
      $0.isASCIIAlphanumeric || $0 == ASCII.space
        || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
    }
    if isAtoms { return text.split(separator: " ").map(String.init) }
    var quoted = "\""
    for character in text {
      if character == "\"" || character == "\\" { quoted += "\\" }
      quoted.append(character)
    }
    return [quoted + "\""]
  }

  /// No word is longer than 75, and none ends within a character.
  private static func encoded(_ text: String) -> [String] {
    var words: [String] = []
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      let next = Array(String(scalar).utf8)
      if bytes.count + next.count > 45 {
        words.append("=?UTF-8?B?\(Base64.encode(bytes))?=")
        bytes = []
      }
      bytes += next
    }
    if !bytes.isEmpty { words.append("=?UTF-8?B?\(Base64.encode(bytes))?=") }
    return words
  }

  /// `; name="value"`, or the coded form if the value is not ASCII. Empty without a value.
  static func parameter(_ name: String, value: String?) -> String {
    guard let value, !value.isEmpty else { return "" }
    let isPlain = value.utf8.allSatisfy { (32...126).contains($0) && $0 != 0x22 && $0 != 0x5C }
    if isPlain, value.utf8.count <= 200 { return "; \(name)=\"\(value)\"" }
    return "; \(name)*=utf-8''\(PercentCoding.encodeComponent(String(value.prefix(200))))"
  }
}
