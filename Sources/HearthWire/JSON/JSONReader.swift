/// Reads JSON token by token from borrowed bytes: for the tree of ``JSON``, and for what makes
/// something else of a text without a tree in between.
package struct JSONReader {
  package let bytes: UnsafeBufferPointer<UInt8>
  /// How far it has read.
  package var position = 0

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// A string: bytes of the input where it has no escapes.
  package enum Text {
    case plain(Range<Int>)
    case decoded([UInt8])
  }

  @inlinable package func withBytes<Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    switch text {
    case .plain(let range): body(UnsafeBufferPointer(rebasing: bytes[range]))
    case .decoded(let decoded): decoded.withUnsafeBufferPointer(body)
    }
  }

  package func string(_ text: Text) -> String {
    withBytes(of: text) { String(decoding: $0, as: UTF8.self) }
  }

  package func fault(_ reason: String) -> JSON.ParseError {
    JSON.ParseError(reason: reason, offset: position)
  }

  package func unexpected() -> JSON.ParseError {
    fault(position < bytes.count ? "Unexpected token in JSON" : "Unexpected end of JSON input")
  }

  /// The next byte that is not white space; zero at the end.
  @inlinable package mutating func peek() -> UInt8 {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return 0
  }

  @inlinable package mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character), position < bytes.count else { return false }
    position += 1
    return true
  }

  package mutating func expect(_ character: Unicode.Scalar) throws(JSON.ParseError) {
    guard take(character) else { throw unexpected() }
  }

  package mutating func end() throws(JSON.ParseError) {
    _ = peek()
    guard position == bytes.count else {
      throw fault("Unexpected token after JSON value")
    }
  }

  /// `null`, `true` or `false`.
  package mutating func take(word: StaticString) throws(JSON.ParseError) -> Bool {
    guard peek() == word.utf8Start[0] else { return false }
    for offset in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count, bytes[position] == word.utf8Start[offset] else {
        throw unexpected()
      }
      position += 1
    }
    return true
  }

  @inlinable package mutating func isNumberNext() -> Bool {
    switch peek() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  /// The bytes of a number.
  package mutating func number() throws(JSON.ParseError) -> Range<Int> {
    _ = peek()
    let start = position
    skip("-")
    if !skip("0") { try digits() }
    if skip(".") { try digits() }
    if skip("e") || skip("E") {
      if !skip("+") { skip("-") }
      try digits()
    }
    return start..<position
  }

  @discardableResult private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func digits() throws(JSON.ParseError) {
    let start = position
    while position < bytes.count, bytes[position].isASCIIDigit { position += 1 }
    guard position > start else { throw unexpected() }
  }

  // MARK: Strings

  package mutating func text() throws(JSON.ParseError) -> Text {
    guard take("\"") else { throw unexpected() }
    let start = position
    position = JSON.firstSpecial(in: bytes, from: start)
    guard position < bytes.count else { throw fault("Unterminated string") }
    switch bytes[position] {
    case UInt8(ascii: "\""):
      position += 1
      return .plain(start..<position - 1)
    case UInt8(ascii: "\\"): return .decoded(try decoded(from: start))
    default: throw fault("Bad control character in string literal")
    }
  }

  private mutating func decoded(from start: Int) throws(JSON.ParseError) -> [UInt8] {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return text
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &text)
      case 0..<0x20: throw fault("Bad control character in string literal")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw fault("Unterminated string")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSON.ParseError) {
    guard position < bytes.count else { throw fault("Unterminated string") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try unicodeEscape()).utf8)
    default:
      throw JSON.ParseError(reason: "Bad escaped character in JSON", offset: position - 1)
    }
  }

  /// A `\u` escape, with its second half where it is a surrogate. A lone surrogate has no place in
  /// UTF-8 and becomes U+FFFD.
  private mutating func unicodeEscape() throws(JSON.ParseError) -> Unicode.Scalar {
    let first = try hexadecimalUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { return "\u{FFFD}" }
    let beforeSecond = position
    position += 2
    let second = try hexadecimalUnit()
    guard (0xDC00...0xDFFF).contains(second) else {
      position = beforeSecond
      return "\u{FFFD}"
    }
    let value = 0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func hexadecimalUnit() throws(JSON.ParseError) -> UInt16 {
    guard position + 4 <= bytes.count else {
      throw fault("Bad Unicode escape in JSON")
    }
    var unit: UInt16 = 0
    for offset in 0..<4 {
      guard let digit = Hex.value(of: bytes[position + offset]) else {
        throw fault("Bad Unicode escape in JSON")
      }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }
}
