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

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    reader = JSONReader(bytes)
    output.reserveCapacity(bytes.count)
  }

  mutating func document(_ table: MessageTable) throws(JSONFault) {
    try message(table, depth: 1)
    try end()
  }

  private func check(_ depth: Int) throws(JSONFault) {
    guard depth <= Self.deepest else {
      throw JSONFault("Objects and arrays are nested deeper than \(Self.deepest) levels.")
    }
  }

  private mutating func message(_ table: MessageTable, depth: Int) throws(JSONFault) {
    try check(depth)
    guard reader.take("{") else { throw try mismatch("an object") }
    if reader.take("}") { return }
    let start = output.count
    var seen: UInt64 = 0
    repeat {
      let name = try text()
      guard let field = reader.withBytes(of: name, { table.field(named: $0) }) else {
        throw JSONFault("There is no such field.").inside(reader.string(name))
      }
      try expect(":")
      if case .null = field.type {} else if try take(word: "null") { continue }
      do throws(JSONFault) {
        if seen & field.rivals != 0 {
          let rival = table.fields.first { $0.bit & seen & field.rivals != 0 }
          throw JSONFault("It cannot be set beside '\(rival?.name ?? "")'.")
        }
        if seen & field.bit != 0 { try replace(field, after: start) }
        try value(field, depth: depth)
      } catch {
        throw error.inside(field.name)
      }
      seen |= field.bit
    } while reader.take(",")
    try expect("}")
  }

  /// As everywhere in JSON, the last of a name counts. The wire does so too, but for messages and
  /// lists, which it would put together.
  private mutating func replace(_ field: MessageField, after start: Int) throws(JSONFault) {
    guard field.isPutTogether else { return }
    replacements += 1
    guard replacements <= Self.mostReplacements else { throw JSONFault("It is given too often.") }
    output.removeField(field.number, after: start)
  }

  private mutating func value(_ field: MessageField, depth: Int) throws(JSONFault) {
    switch field.label {
    case .single: try element(field.type, field.number, depth: depth)
    case .repeated: try elements(field, depth: depth + 1)
    case .map: try entries(field, depth: depth + 1)
    }
  }

  private mutating func elements(_ field: MessageField, depth: Int) throws(JSONFault) {
    try check(depth)
    guard reader.take("[") else { throw try mismatch("an array") }
    if reader.take("]") { return }
    var index = 0
    repeat {
      do throws(JSONFault) {
        try element(field.type, field.number, depth: depth)
      } catch {
        throw error.inside(index: index)
      }
      index += 1
    } while reader.take(",")
    try expect("]")
  }

  /// A map, whose entries are messages with the key as the first field and the value as the second.
  private mutating func entries(_ field: MessageField, depth: Int) throws(JSONFault) {
    try check(depth)
    guard case .message(let place) = field.type, let type = tables[place].field(2)?.type else {
      throw JSONFault("It is not supported.")
    }
    guard reader.take("{") else { throw try mismatch("an object") }
    if reader.take("}") { return }
    repeat {
      let key = try text()
      try expect(":")
      let start = begin(field.number)
      append(1, key)
      do throws(JSONFault) {
        try element(type, 2, depth: depth)
      } catch {
        throw error.inside(reader.string(key))
      }
      finish(start)
    } while reader.take(",")
    try expect("}")
  }

  private mutating func element(
    _ type: FieldType, _ number: Int, depth: Int
  ) throws(JSONFault) {
    switch type {
    case .message(let place):
      let start = begin(number)
      try message(tables[place], depth: depth + 1)
      finish(start)
    case .wrapper(let inner):
      let start = begin(number)
      try scalar(inner, 1)
      finish(start)
    default: try scalar(type, number)
    }
  }

  // MARK: Tokens

  mutating func text() throws(JSONFault) -> JSONReader.Text {
    do { return try reader.text() } catch { throw JSONFault(error) }
  }

  mutating func rangeOfNumber() throws(JSONFault) -> Range<Int> {
    do { return try reader.number() } catch { throw JSONFault(error) }
  }

  mutating func take(word: StaticString) throws(JSONFault) -> Bool {
    do { return try reader.take(word: word) } catch { throw JSONFault(error) }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(JSONFault) {
    do { try reader.expect(character) } catch { throw JSONFault(error) }
  }

  private mutating func end() throws(JSONFault) {
    do { try reader.end() } catch { throw JSONFault(error) }
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

  mutating func append(_ number: Int, _ bytes: some Collection<UInt8>) {
    output.append(varint: UInt64(number << 3 | 2))
    output.append(varint: UInt64(bytes.count))
    output.append(contentsOf: bytes)
  }

  mutating func append(_ number: Int, _ text: JSONReader.Text) {
    switch text {
    case .plain(let range): append(number, reader.bytes[range])
    case .decoded(let bytes): append(number, bytes)
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

extension [UInt8] {
  mutating func append(varint value: UInt64) {
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
