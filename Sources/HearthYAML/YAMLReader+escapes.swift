/// What a backslash stands for.
extension YAMLReader {
  private static let characters: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{07}", UInt8(ascii: "b"): "\u{08}",
    UInt8(ascii: "t"): "\t", UInt8(ascii: "\t"): "\t", UInt8(ascii: "n"): "\n",
    UInt8(ascii: "v"): "\u{0B}", UInt8(ascii: "f"): "\u{0C}", UInt8(ascii: "r"): "\r",
    UInt8(ascii: "e"): "\u{1B}", UInt8(ascii: " "): " ", UInt8(ascii: "\""): "\"",
    UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}",
    UInt8(ascii: "_"): "\u{A0}", UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
  ]
  private static let lengths: [UInt8: Int] = [
    UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8,
  ]

  /// Reads what follows a backslash.
  mutating func escape(_ text: inout [UInt8]) throws(YAMLFault) {
    if self.is("\n") {
      newLine()
      return skipSpaces()
    }
    let sign = peek()
    if let character = Self.characters[sign] {
      advance()
      return text.append(contentsOf: String(character).utf8)
    }
    guard let length = Self.lengths[sign] else { throw fault("unknown escape sequence") }
    advance()
    var number = try hexadecimal(length)
    // Two halves of a character, as JSON writes them.
    if length == 4, 0xD800..<0xDC00 ~= number, self.is("\\"), peek(1) == UInt8(ascii: "u") {
      advance(2)
      let low = try hexadecimal(4)
      guard 0xDC00..<0xE000 ~= low else { throw fault("unpaired surrogate in escape sequence") }
      number = 0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let character = Unicode.Scalar(number) else {
      throw fault("the escape sequence is not a character")
    }
    text.append(contentsOf: String(Character(character)).utf8)
  }

  private mutating func hexadecimal(_ length: Int) throws(YAMLFault) -> UInt32 {
    let start = place
    for _ in 0..<length where isOne(of: "0123456789abcdefABCDEF") { advance() }
    let digits = text(from: start)
    guard digits.count == length, let number = UInt32(Self.trimmed(digits), radix: 16) else {
      throw fault("an escape needs \(length) hexadecimal digits")
    }
    return number
  }
}
