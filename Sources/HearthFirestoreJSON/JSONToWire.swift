import HearthWire

/// Turns the JSON of a message into the bytes of the wire, in which members keep their order.
///
/// It is as lenient as Google's: names in either spelling, numbers as strings and strings as
/// numbers, enumerations by name or number, `null` for what is absent.
struct JSONToWire {
  /// Of objects and arrays, one in the other: more than what documents may nest, which has a
  /// refusal of its own.
  private static let deepest = 128
  /// Of messages and lists that are given again: each takes a walk along what is there.
  private static let mostReplacements = 20

  private(set) var output: [UInt8] = []
  var reader: JSONReader
  private let tables = MessageTables.shared.all
  private var replacements = 0
  /// Whether a comma may be the last, and names of enumerations have any case.
  let isLenient: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>, isLenient: Bool) {
    reader = JSONReader(bytes)
    self.isLenient = isLenient
    output.reserveCapacity(bytes.count)
  }

  mutating func document(_ table: MessageTable) throws(JSONFault) {
    guard reader.peek() == UInt8(ascii: "{") else {
      if reader.peek() != UInt8(ascii: "[") { _ = try plainValue() }
      throw .root
    }
    try message(table, depth: 1)
    try end()
  }

  func check(_ depth: Int) throws(JSONFault) {
    guard depth <= Self.deepest else {
      throw .bound("Objects and arrays are nested deeper than \(Self.deepest) levels.")
    }
  }

  /// A message, whose brace is the next character.
  private mutating func message(_ table: MessageTable, depth: Int) throws(JSONFault) {
    try check(depth)
    _ = reader.take("{")
    if reader.take("}") { return }
    let start = output.count
    var seen: UInt64 = 0
    repeat {
      if isLenient, reader.peek() == UInt8(ascii: "}") { break }
      let name = try key()
      guard let field = reader.withBytes(of: name, { table.field(named: $0) }) else {
        throw .unknownName(reader.string(name))
      }
      if case .null = field.type {} else if try take(word: "null") { continue }
      guard seen & field.rivals == 0 else {
        throw .alreadySet(table.oneof(of: field), name: field.name)
      }
      do throws(JSONFault) {
        if seen & field.bit != 0 { try replace(field, after: start) }
        try value(field, depth: depth)
      } catch {
        throw error.inside(field)
      }
      seen |= field.bit
    } while reader.take(",")
    try expect("}", or: "Expected , or } after key:value pair.")
  }

  /// As everywhere in JSON, the last of a name counts. The wire does so too, but for messages and
  /// lists, which it would put together.
  private mutating func replace(_ field: MessageField, after start: Int) throws(JSONFault) {
    guard field.isPutTogether else { return }
    replacements += 1
    guard replacements <= Self.mostReplacements else {
      throw .bound("The field \"\(field.name)\" is given too often.")
    }
    output.removeField(field.number, after: start)
  }

  private mutating func value(_ field: MessageField, depth: Int) throws(JSONFault) {
    switch field.label {
    case .single: try element(field.type, number: field.number, depth: depth)
    case .repeated: try elements(field, depth: depth + 1)
    case .map: try entries(field, depth: depth + 1)
    }
  }

  private mutating func elements(_ field: MessageField, depth: Int) throws(JSONFault) {
    try check(depth)
    guard reader.take("[") else { throw .value("list", value: try plainValue()) }
    if reader.take("]") { return }
    var index = 0
    repeat {
      if isLenient, reader.peek() == UInt8(ascii: "]") { break }
      do throws(JSONFault) {
        try element(field.type, number: field.number, depth: depth)
      } catch {
        throw error.inside(index: index)
      }
      index += 1
    } while reader.take(",")
    try expect("]", or: "Expected , or ] after array value.")
  }

  /// A map, whose entries are messages with the key as the first field and the value as the second.
  private mutating func entries(_ field: MessageField, depth: Int) throws(JSONFault) {
    try check(depth)
    guard case .message(let place) = field.type, let type = tables[place].field(2)?.type else {
      throw .bound("The field \"\(field.name)\" is not supported.")
    }
    guard reader.take("{") else { throw .value("map", value: try plainValue()) }
    if reader.take("}") { return }
    var index = 0
    repeat {
      if isLenient, reader.peek() == UInt8(ascii: "}") { break }
      let key = try key()
      let start = begin(field.number)
      append(1, text: key)
      do throws(JSONFault) {
        try element(type, number: 2, depth: depth)
      } catch {
        throw error.inside("value").inside(index: index)
      }
      finish(start)
      index += 1
    } while reader.take(",")
    try expect("}", or: "Expected , or } after key:value pair.")
  }

  private mutating func element(
    _ type: FieldType, number: Int, depth: Int
  ) throws(JSONFault) {
    switch type {
    case .message(let place):
      guard reader.peek() == UInt8(ascii: "{") else {
        throw .value("type.googleapis.com/\(tables[place].name)", value: try plainValue())
      }
      let start = begin(number)
      try message(tables[place], depth: depth + 1)
      finish(start)
    case .wrapper(let inner):
      let start = begin(number)
      do throws(JSONFault) { try wrapped(inner) } catch { throw error.inside("value") }
      finish(start)
    default: try scalar(type, number: number)
    }
  }

  /// The bare value of a message that holds nothing else; production also takes `{"value": 3}`.
  private mutating func wrapped(_ type: FieldType) throws(JSONFault) {
    guard isLenient, reader.take("{") else { return try scalar(type, number: 1) }
    let name = reader.string(try key())
    guard name == "value" else { throw .unknownName(name) }
    try scalar(type, number: 1)
    try expect("}", or: "Expected , or } after key:value pair.")
  }

  // MARK: Tokens

  mutating func text() throws(JSONFault) -> JSONReader.Text {
    do { return try reader.text() } catch { throw syntax("Closing quote expected in string.") }
  }

  mutating func rangeOfNumber() throws(JSONFault) -> Range<Int> {
    do { return try reader.number() } catch { throw syntax("Unable to parse number.") }
  }

  mutating func take(word: StaticString) throws(JSONFault) -> Bool {
    let start = reader.position
    do { return try reader.take(word: word) } catch {
      reader.position = start
      throw unexpected()
    }
  }

  /// The name of a member, and the colon after it.
  mutating func key() throws(JSONFault) -> JSONReader.Text {
    let isQuoted = reader.peek() == UInt8(ascii: "\"")
    if isQuoted {
      let name = try text()
      if reader.take(":") { return name }
    } else {
      let start = reader.position
      while reader.position < reader.bytes.count, reader.bytes[reader.position].isOfKey {
        reader.position += 1
      }
      guard reader.position > start, reader.peek() != UInt8(ascii: ":") else {
        reader.position = start
        throw syntax("Expected an object key or }.")
      }
    }
    throw syntax("Expected : between key:value pair.")
  }

  mutating func expect(
    _ character: Unicode.Scalar, or problem: String
  ) throws(JSONFault) {
    guard reader.take(character) else { throw syntax(problem) }
  }

  mutating func end() throws(JSONFault) {
    _ = reader.peek()
    guard reader.position == reader.bytes.count else {
      throw syntax("Parsing terminated before end of input.")
    }
  }

  private func syntax(_ problem: String) -> JSONFault {
    .syntax(problem, at: reader.position, of: reader.bytes)
  }

  /// Where a value should begin is something else.
  mutating func unexpected() -> JSONFault {
    _ = reader.peek()
    return reader.position < reader.bytes.count ? syntax("Unexpected token.") : .end
  }

  /// The text of the next value, for what is said of one that does not fit; an object or an array is
  /// not shown.
  mutating func plainValue() throws(JSONFault) -> String {
    switch reader.peek() {
    case UInt8(ascii: "\""): return "\"\(JSONFault.short(reader.string(try text())))\""
    case UInt8(ascii: "{"): return "Starting an object on a scalar field"
    case UInt8(ascii: "["): throw .list
    case _ where reader.isNumberNext():
      return String(decoding: reader.bytes[try rangeOfNumber()], as: UTF8.self)
    default:
      for word in ["null", "true", "false"] as [StaticString] where try take(word: word) {
        return "\(word)"
      }
      throw unexpected()
    }
  }

  // MARK: Wire

  mutating func append(_ number: Int, varint value: UInt64) {
    output.append(varint: UInt64(number << 3))
    output.append(varint: value)
  }

  mutating func append(_ number: Int, bits: UInt64) {
    output.append(varint: UInt64(number << 3 | 1))
    withUnsafeBytes(of: bits.littleEndian) { output.append(contentsOf: $0) }
  }

  mutating func append(_ number: Int, bytes: some Collection<UInt8>) {
    output.append(varint: UInt64(number << 3 | 2))
    output.append(varint: UInt64(bytes.count))
    output.append(contentsOf: bytes)
  }

  mutating func append(_ number: Int, text: JSONReader.Text) {
    switch text {
    case .plain(let range): append(number, bytes: reader.bytes[range])
    case .decoded(let bytes): append(number, bytes: bytes)
    }
  }

  /// Begins a message, with room for its length; returns where it begins.
  mutating func begin(_ number: Int) -> Int {
    output.append(varint: UInt64(number << 3 | 2))
    for _ in 0..<4 { output.append(0) }
    return output.count
  }

  /// Writes the length in four bytes, whatever it is, so that nothing has to move. No body is as
  /// long as that allows.
  mutating func finish(_ start: Int) {
    let length = UInt32(output.count - start)
    for place in 0..<4 {
      let bits = UInt8(truncatingIfNeeded: length >> UInt32(7 * place)) & 0x7F
      output[start - 4 + place] = place < 3 ? bits | 0x80 : bits
    }
  }
}

extension UInt8 {
  fileprivate var isOfKey: Bool { isASCIILetter || self == UInt8(ascii: "_") }
}

extension [UInt8] {
  package mutating func append(varint value: UInt64) {
    var value = value
    while value > 0x7F {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(value))
  }

  /// Takes a field out of the message that begins there.
  fileprivate mutating func removeField(_ number: Int, after start: Int) {
    let message = Array(self[start...])
    removeSubrange(start...)
    message.withUnsafeBufferPointer { bytes in
      var reader = WireReader(bytes)
      while let (field, range) = reader.nextField() {
        if field != number { append(contentsOf: bytes[range]) }
      }
    }
  }
}
