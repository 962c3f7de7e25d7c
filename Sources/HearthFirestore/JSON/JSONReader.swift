import HearthWire

/// Reads JSON token by token from borrowed bytes.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// A string: bytes of the input where it has no escapes.
  enum Text {
    case plain(Range<Int>)
    case decoded([UInt8])
  }

  func withBytes<Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    switch text {
    case .plain(let range): body(UnsafeBufferPointer(rebasing: bytes[range]))
    case .decoded(let decoded): decoded.withUnsafeBufferPointer(body)
    }
  }

  func string(_ text: Text) -> String {
    withBytes(of: text) { String(decoding: $0, as: UTF8.self) }
  }

  func unexpected() -> JSONFault {
    .syntax(
      position < bytes.count ? "Unexpected token in JSON" : "Unexpected end of JSON input",
      at: position)
  }

  /// The next byte that is not white space; zero at the end.
  mutating func peek() -> UInt8 {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return 0
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character), position < bytes.count else { return false }
    position += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(JSONFault) {
    guard take(character) else { throw unexpected() }
  }

  mutating func end() throws(JSONFault) {
    _ = peek()
    guard position == bytes.count else {
      throw .syntax("Unexpected token after JSON value", at: position)
    }
  }

  /// `null`, `true` or `false`.
  mutating func take(word: StaticString) throws(JSONFault) -> Bool {
    guard peek() == word.utf8Start[0] else { return false }
    for offset in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count, bytes[position] == word.utf8Start[offset] else {
        throw unexpected()
      }
      position += 1
    }
    return true
  }

  mutating func isNumberNext() -> Bool {
    switch peek() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  /// The bytes of a number.
  mutating func number() throws(JSONFault) -> Range<Int> {
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

  private mutating func digits() throws(JSONFault) {
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    guard position > start else { throw unexpected() }
  }

  // MARK: Strings

  mutating func text() throws(JSONFault) -> Text {
    guard take("\"") else { throw unexpected() }
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return .plain(start..<position)
      case UInt8(ascii: "\\"): return .decoded(try decoded(from: start))
      case 0..<0x20: throw .syntax("Bad control character in string literal", at: position)
      default: position += 1
      }
    }
    throw .syntax("Unterminated string", at: position)
  }

  private mutating func decoded(from start: Int) throws(JSONFault) -> [UInt8] {
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
      case 0..<0x20: throw .syntax("Bad control character in string literal", at: position)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw .syntax("Unterminated string", at: position)
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
    guard position < bytes.count else { throw .syntax("Unterminated string", at: position) }
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
    default: throw .syntax("Bad escaped character in JSON", at: position - 1)
    }
  }

  /// A `\u` escape, with its second half where it is a surrogate. A lone surrogate has no place in
  /// UTF-8 and becomes U+FFFD.
  private mutating func unicodeEscape() throws(JSONFault) -> Unicode.Scalar {
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

  private mutating func hexadecimalUnit() throws(JSONFault) -> UInt16 {
    guard position + 4 <= bytes.count else {
      throw .syntax("Bad Unicode escape in JSON", at: position)
    }
    var unit: UInt16 = 0
    for offset in 0..<4 {
      guard let digit = Hex.value(of: bytes[position + offset]) else {
        throw .syntax("Bad Unicode escape in JSON", at: position)
      }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }
}
