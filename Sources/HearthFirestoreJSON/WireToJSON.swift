import HearthTime
import HearthWire
import SwiftProtobuf

/// Turns the bytes of a message into its JSON, members in the order of the bytes.
struct WireToJSON {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var output: [UInt8]
  private let tables = MessageTables.shared.all

  /// Appends to what is there already.
  init(_ bytes: UnsafeBufferPointer<UInt8>, into output: consuming [UInt8]) {
    self.bytes = bytes
    self.output = output
    self.output.reserveCapacity(self.output.count + bytes.count * 2)
  }

  mutating func document(_ table: MessageTable) { message(table, range: 0..<bytes.count) }

  private mutating func message(_ table: MessageTable, range: Range<Int>) {
    var reader = WireReader(bytes, range: range)
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    // The field whose elements are being written.
    var open: MessageField?
    while !reader.isAtEnd, let (number, wireType) = reader.tag() {
      guard let field = table.field(number), field.isUnderstood else {
        guard reader.skip(wireType) else { break }
        continue
      }
      if let known = open, known.number != number {
        output.append(known.closing)
        open = nil
      }
      if open == nil {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        output.append(contentsOf: field.key)
        if field.label != .single {
          output.append(field.opening)
          open = field
        }
      } else {
        output.append(UInt8(ascii: ","))
      }
      guard write(field, wireType: wireType, reader: &reader) else { break }
    }
    if let open { output.append(open.closing) }
    output.append(UInt8(ascii: "}"))
  }

  /// One value, or the packed numbers of a repeated field.
  private mutating func write(
    _ field: MessageField, wireType: Int, reader: inout WireReader
  ) -> Bool {
    if field.label == .map { return entry(field, reader: &reader) }
    guard field.label == .repeated, wireType == 2, field.type.isNumber else {
      return value(field.type, reader: &reader)
    }
    guard let range = reader.range() else { return false }
    var packed = WireReader(bytes, range: range)
    var isFirst = true
    while !packed.isAtEnd {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      guard value(field.type, reader: &packed) else { return false }
    }
    return true
  }

  private mutating func entry(_ field: MessageField, reader: inout WireReader) -> Bool {
    guard case .message(let place) = field.type, let type = tables[place].field(2)?.type,
      let range = reader.range()
    else { return false }
    var inner = WireReader(bytes, range: range)
    var key = 0..<0
    var member: WireReader?
    while !inner.isAtEnd, let (number, wireType) = inner.tag() {
      if number == 1, wireType == 2 {
        guard let range = inner.range() else { return false }
        key = range
      } else {
        if number == 2 { member = inner }
        guard inner.skip(wireType) else { return false }
      }
    }
    JSON.append(UnsafeBufferPointer(rebasing: bytes[key]), to: &output)
    output.append(UInt8(ascii: ":"))
    guard var member else {
      // An entry may leave out what is empty.
      append(type.emptyText)
      return true
    }
    return value(type, reader: &member)
  }

  private mutating func value(_ type: FieldType, reader: inout WireReader) -> Bool {
    switch type {
    case .message(let place):
      guard let range = reader.range() else { return false }
      message(tables[place], range: range)
    case .bytes:
      guard let range = reader.range() else { return false }
      append("\"\(Base64.encode(Array(bytes[range])))\"")
    case .string:
      guard let range = reader.range() else { return false }
      JSON.append(UnsafeBufferPointer(rebasing: bytes[range]), to: &output)
    case .timestamp:
      guard let (seconds, nanos) = pair(&reader) else { return false }
      append("\"\(Timestamp.text(seconds: seconds, nanoseconds: nanos))\"")
    case .duration:
      guard let (seconds, nanos) = pair(&reader) else { return false }
      append("\"\(Self.duration(seconds, nanos: nanos))\"")
    case .structure:
      guard let range = reader.range(),
        let object = try? Google_Protobuf_Struct(serializedBytes: Array(bytes[range]))
      else { return false }
      output += object.json.bytes
    case .wrapper(let inner):
      guard let range = reader.range() else { return false }
      var content = WireReader(bytes, range: range)
      guard !content.isAtEnd, content.tag() != nil else {
        append(inner.isQuoted ? "\"0\"" : "0")
        return true
      }
      return value(inner, reader: &content)
    case .double:
      guard let bits = reader.bits() else { return false }
      append(Double(bitPattern: bits))
    case .bool, .int32, .int64, .null, .enumeration: return number(type, reader: &reader)
    case .other: return false
    }
    return true
  }

  private mutating func number(_ type: FieldType, reader: inout WireReader) -> Bool {
    guard let raw = reader.varint() else { return false }
    let value = Int64(bitPattern: raw)
    switch type {
    case .bool: append(raw == 0 ? "false" : "true")
    case .null: append("null")
    case .int64: append("\"\(value)\"")
    case .enumeration(let table):
      append(table.name(of: Int(value)).map { "\"\($0)\"" } ?? String(value))
    default: append(String(value))
    }
    return true
  }

  /// `1.000340s`: with three, six or nine digits, or none.
  private static func duration(_ seconds: Int64, nanos: Int64) -> String {
    guard nanos != 0 else { return "\(seconds)s" }
    var digits = String(1_000_000_000 + nanos).dropFirst()
    while digits.hasSuffix("000") { digits = digits.dropLast(3) }
    return "\(seconds).\(digits)s"
  }

  /// The two numbers of a timestamp or of a duration.
  private func pair(_ reader: inout WireReader) -> (Int64, Int64)? {
    guard let range = reader.range() else { return nil }
    var content = WireReader(bytes, range: range)
    var numbers: (Int64, Int64) = (0, 0)
    while !content.isAtEnd {
      guard let (number, _) = content.tag(), let raw = content.varint() else { return nil }
      if number == 1 { numbers.0 = Int64(bitPattern: raw) }
      if number == 2 { numbers.1 = Int64(bitPattern: raw) }
    }
    return numbers
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

  private mutating func append(_ value: Double) {
    switch value {
    case .infinity: append("\"Infinity\"")
    case -.infinity: append("\"-Infinity\"")
    case _ where value.isNaN: append("\"NaN\"")
    // Whole numbers without a fraction, as JavaScript writes them; but a zero keeps its sign.
    case _
    where value.magnitude < 0x1p53 && value.rounded() == value && value.bitPattern != 1 << 63:
      append(String(Int64(value)))
    default: append(value.description)
    }
  }
}

extension MessageField {
  fileprivate var isUnderstood: Bool { if case .other = type { false } else { true } }
  fileprivate var opening: UInt8 { UInt8(ascii: label == .map ? "{" : "[") }
  fileprivate var closing: UInt8 { UInt8(ascii: label == .map ? "}" : "]") }
}

extension FieldType {
  fileprivate var isNumber: Bool {
    switch self {
    case .bool, .int32, .int64, .double, .null, .enumeration: true
    default: false
    }
  }

  fileprivate var emptyText: String { if case .message = self { "{}" } else { "\"\"" } }
  fileprivate var isQuoted: Bool { if case .int64 = self { true } else { false } }
}

extension Google_Protobuf_Struct {
  /// Members in the order of their names.
  fileprivate var json: JSON {
    let members = fields.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.json) }
    return .object(JSONObject(members: members))
  }
}

extension Google_Protobuf_Value {
  fileprivate var json: JSON {
    switch kind {
    case .stringValue(let text)?: .string(text)
    case .numberValue(let number)?: .double(number)
    case .boolValue(let flag)?: .bool(flag)
    case .structValue(let object)?: object.json
    case .listValue(let list)?: .array(list.values.map(\.json))
    case .nullValue?, nil: .null
    }
  }
}
