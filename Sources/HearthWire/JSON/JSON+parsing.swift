extension JSON {
  /// Why a text is not JSON, and where.
  package struct ParseError: Error, Equatable, CustomStringConvertible {
    package let reason: String
    package let offset: Int

    package var description: String { "\(reason) at position \(offset)" }
  }

  /// How much a text may hold. A value in memory is many times larger than its shortest text.
  package struct Bounds: Sendable {
    /// Of the whole text.
    package var values = Int.max
    /// Of each object, which is looked through for a name.
    package var members = Int.max

    package init() {}

    package init(values: Int, members: Int) {
      self.values = values
      self.members = members
    }
  }

  /// Parses strict JSON (RFC 8259). A byte-order mark is tolerated, nesting is bounded.
  package static func parse(
    _ bytes: some Collection<UInt8>, within bounds: Bounds = Bounds()
  ) throws(ParseError) -> JSON {
    let result: Result<JSON, ParseError> =
      bytes.withContiguousStorageIfAvailable { parse(buffer: $0, bounds) }
      ?? Array(bytes).withUnsafeBufferPointer { parse(buffer: $0, bounds) }
    return try result.get()
  }

  package static func parse(_ text: String) throws(ParseError) -> JSON {
    var text = text
    return try text.withUTF8 { parse(buffer: $0, Bounds()) }.get()
  }

  private static func parse(
    buffer: UnsafeBufferPointer<UInt8>, _ bounds: Bounds
  ) -> Result<JSON, ParseError> {
    do throws(ParseError) {
      var parser = JSONParser(bytes: buffer, bounds)
      return .success(try parser.document())
    } catch {
      return .failure(error)
    }
  }
}

/// A recursive-descent parser over a borrowed buffer.
///
/// Foundation's decoder cannot keep member order or tell `1` from `"1"` for the API's coercions,
/// and takes ten times as long on the small bodies that arrive here thousands of times a second.
private struct JSONParser {
  /// Deeper bodies are refused, so that no request can exhaust the stack.
  static let maximumDepth = 128

  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  private var values: Int
  private let members: Int

  init(bytes: UnsafeBufferPointer<UInt8>, _ bounds: JSON.Bounds) {
    self.bytes = bytes
    values = bounds.values
    members = bounds.members
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func document() throws(JSON.ParseError) -> JSON {
    let value = try value(depth: 0)
    skipWhitespace()
    guard position == bytes.count else { throw fault("Unexpected token after JSON value") }
    return value
  }

  private func fault(_ reason: String) -> JSON.ParseError {
    JSON.ParseError(reason: reason, offset: position)
  }

  private func unexpected() -> JSON.ParseError {
    fault(position < bytes.count ? "Unexpected token in JSON" : "Unexpected end of JSON input")
  }

  private mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSON.ParseError) -> JSON {
    guard depth < Self.maximumDepth else { throw fault("JSON is nested too deeply") }
    guard values > 0 else { throw fault("There are too many values") }
    values -= 1
    skipWhitespace()
    guard position < bytes.count else { throw unexpected() }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw unexpected()
    }
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSON
  ) throws(JSON.ParseError) -> JSON {
    for offset in 0..<word.utf8CodeUnitCount {
      guard take(word.utf8Start[offset]) else { throw unexpected() }
    }
    return value
  }

  private mutating func object(depth: Int) throws(JSON.ParseError) -> JSON {
    position += 1
    var object = JSONObject()
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return .object(object) }
    repeat {
      skipWhitespace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw unexpected()
      }
      guard object.members.count < members else { throw fault("An object has too many members") }
      let key = try string()
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { throw unexpected() }
      object.append(key, try value(depth: depth + 1))
      skipWhitespace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected() }
    return .object(object)
  }

  private mutating func array(depth: Int) throws(JSON.ParseError) -> JSON {
    position += 1
    var elements: [JSON] = []
    skipWhitespace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipWhitespace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected() }
    return .array(elements)
  }

  private mutating func number() throws(JSON.ParseError) -> JSON {
    let start = position
    var isInteger = true
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .int(value) }
    guard let value = Double(text), value.isFinite else { throw fault("Number out of range") }
    return .double(value)
  }

  private mutating func digits() throws(JSON.ParseError) {
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    guard position > start else { throw unexpected() }
  }

  private mutating func string() throws(JSON.ParseError) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
      case UInt8(ascii: "\\"): return try stringWithEscapes(from: start)
      case 0..<0x20: throw fault("Bad control character in string literal")
      default: position += 1
      }
    }
    throw fault("Unterminated string")
  }

  private mutating func stringWithEscapes(from start: Int) throws(JSON.ParseError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        position += 1
        text.append(contentsOf: try escape())
      case 0..<0x20: throw fault("Bad control character in string literal")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw fault("Unterminated string")
  }

  private mutating func escape() throws(JSON.ParseError) -> [UInt8] {
    guard position < bytes.count else { throw fault("Unterminated string") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(try unicodeEscape()).utf8)
    default: throw fault("Bad escaped character in JSON")
    }
  }

  /// A `\u` escape, with its second half where it is a surrogate. A lone surrogate has no place in
  /// a Swift string and becomes U+FFFD.
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
    guard position + 4 <= bytes.count else { throw fault("Bad Unicode escape in JSON") }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Hex.value(of: byte) else { throw fault("Bad Unicode escape in JSON") }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }
}
