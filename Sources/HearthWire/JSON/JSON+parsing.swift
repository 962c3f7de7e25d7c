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

  private var reader: JSONReader
  private var values: Int
  private let members: Int

  init(bytes: UnsafeBufferPointer<UInt8>, _ bounds: JSON.Bounds) {
    reader = JSONReader(bytes)
    values = bounds.values
    members = bounds.members
  }

  mutating func document() throws(JSON.ParseError) -> JSON {
    let value = try value(depth: 0)
    try reader.end()
    return value
  }

  private mutating func value(depth: Int) throws(JSON.ParseError) -> JSON {
    guard depth < Self.maximumDepth else { throw reader.fault("JSON is nested too deeply") }
    guard values > 0 else { throw reader.fault("There are too many values") }
    values -= 1
    switch reader.peek() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", value: .bool(true))
    case UInt8(ascii: "f"): return try literal("false", value: .bool(false))
    case UInt8(ascii: "n"): return try literal("null", value: .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw reader.unexpected()
    }
  }

  private mutating func literal(
    _ word: StaticString, value: JSON
  ) throws(JSON.ParseError) -> JSON {
    guard try reader.take(word: word) else { throw reader.unexpected() }
    return value
  }

  private mutating func object(depth: Int) throws(JSON.ParseError) -> JSON {
    try reader.expect("{")
    var object = JSONObject()
    if reader.take("}") { return .object(object) }
    repeat {
      guard reader.peek() == UInt8(ascii: "\"") else { throw reader.unexpected() }
      guard object.members.count < members else {
        throw reader.fault("An object has too many members")
      }
      let key = try string()
      try reader.expect(":")
      object.append(key, value: try value(depth: depth + 1))
    } while reader.take(",")
    try reader.expect("}")
    return .object(object)
  }

  private mutating func array(depth: Int) throws(JSON.ParseError) -> JSON {
    try reader.expect("[")
    var elements: [JSON] = []
    if reader.take("]") { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
    } while reader.take(",")
    try reader.expect("]")
    return .array(elements)
  }

  private mutating func number() throws(JSON.ParseError) -> JSON {
    let text = String(decoding: reader.bytes[try reader.number()], as: UTF8.self)
    if let value = Int64(text) { return .int(value) }
    guard let value = Double(text), value.isFinite else {
      throw reader.fault("Number out of range")
    }
    return .double(value)
  }

  private mutating func string() throws(JSON.ParseError) -> String {
    reader.string(try reader.text())
  }
}
