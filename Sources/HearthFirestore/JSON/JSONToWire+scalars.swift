import HearthTime
import HearthWire

extension JSONToWire {
  mutating func scalar(_ type: FieldType, _ number: Int) throws(JSONFault) {
    switch type {
    case .bool: append(number, varint: try bool() ? 1 : 0)
    case .int32:
      guard let value = Int32(exactly: try integer()) else { throw JSONFault("It is too large.") }
      append(number, varint: UInt64(bitPattern: Int64(value)))
    case .int64: append(number, varint: UInt64(bitPattern: try integer()))
    case .double: append(number, bits: try double().bitPattern)
    case .string:
      // As the official emulator: the text of a number, of true and of false will do.
      if reader.isNumberNext() {
        append(number, reader.bytes[try rangeOfNumber()])
      } else if try take(word: "true") {
        append(number, "true".utf8)
      } else if try take(word: "false") {
        append(number, "false".utf8)
      } else {
        append(number, try string("a string"))
      }
    case .bytes:
      let text = try string("a string in base64")
      guard let bytes = reader.withBytes(of: text, { Base64.decode($0) }) else {
        throw JSONFault("It is not base64.")
      }
      append(number, bytes)
    case .timestamp: try timestamp(number)
    case .null: try null(number)
    case .enumeration(let table): try enumeration(table, number)
    case .message, .wrapper, .other: throw JSONFault("It is not supported.")
    }
  }

  /// What to say of a value that is of another kind, or not JSON.
  mutating func mismatch(_ wanted: String) throws(JSONFault) -> JSONFault {
    switch reader.peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): break
    case _ where reader.isNumberNext(): break
    default:
      var isWord = false
      for word in ["null", "true", "false"] as [StaticString] {
        if !isWord { isWord = try take(word: word) }
      }
      guard isWord else { throw JSONFault(reader.unexpected()) }
    }
    return JSONFault("It must be \(wanted).")
  }

  private mutating func string(_ wanted: String) throws(JSONFault) -> JSONReader.Text {
    guard reader.peek() == UInt8(ascii: "\"") else { throw try mismatch(wanted) }
    return try text()
  }

  private mutating func bool() throws(JSONFault) -> Bool {
    if reader.peek() == UInt8(ascii: "\"") {
      switch reader.string(try text()) {
      case "true": return true
      case "false": return false
      default: throw JSONFault("It must be true or false.")
      }
    }
    if try take(word: "true") { return true }
    if try take(word: "false") { return false }
    throw try mismatch("true or false")
  }

  /// The text of a number, which may stand in quotes.
  private mutating func numeral() throws(JSONFault) -> String {
    if reader.isNumberNext() {
      return String(decoding: reader.bytes[try rangeOfNumber()], as: UTF8.self)
    }
    return reader.string(try string("a number"))
  }

  /// Also `5.0` and `1e3`, which are whole.
  private mutating func integer() throws(JSONFault) -> Int64 {
    let text = try numeral()
    if !text.hasPrefix("+"), let value = Int64(text) { return value }
    guard let value = Self.finite(text), let whole = Int64(exactly: value) else {
      throw JSONFault("It is not an integer of 64 bits.")
    }
    // Beyond this, a double no longer says which integer is meant.
    guard whole.magnitude <= 1 << 53 else { throw JSONFault("It is not an integer of 64 bits.") }
    return whole
  }

  private mutating func double() throws(JSONFault) -> Double {
    let text = try numeral()
    switch text {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      guard let value = Self.finite(text) else { throw JSONFault("It is not a number.") }
      return value
    }
  }

  /// Only what JSON calls a number: Swift also reads "0x1p3", "inf" and "+1".
  private static func finite(_ text: String) -> Double? {
    var text = text
    let isNumber = text.withUTF8 { bytes in
      var reader = JSONReader(bytes)
      return bytes.first.map { $0 > 0x20 } ?? false && (try? reader.number())?.count == bytes.count
    }
    guard isNumber, let value = Double(text), value.isFinite else { return nil }
    return value
  }

  private mutating func timestamp(_ number: Int) throws(JSONFault) {
    let text = try string("a time such as \"2026-01-31T09:30:00Z\"")
    guard let time = reader.withBytes(of: text, { Timestamp.parts(iso8601: $0) }) else {
      throw JSONFault("It is not a time such as \"2026-01-31T09:30:00Z\".")
    }
    let start = begin(number)
    append(1, varint: UInt64(bitPattern: time.seconds))
    append(2, varint: UInt64(bitPattern: time.nanoseconds))
    finish(start)
  }

  /// `null`, or the enumeration's name or number.
  private mutating func null(_ number: Int) throws(JSONFault) {
    if reader.peek() == UInt8(ascii: "\"") {
      guard reader.string(try text()) == "NULL_VALUE" else {
        throw JSONFault("It must be null.")
      }
    } else if reader.isNumberNext() {
      guard try integer() == 0 else { throw JSONFault("It must be null.") }
    } else if try !take(word: "null") {
      throw try mismatch("null")
    }
    append(number, varint: 0)
  }

  private mutating func enumeration(_ table: EnumTable, _ number: Int) throws(JSONFault) {
    let value: Int64
    if reader.isNumberNext() {
      value = try integer()
    } else {
      let name = try string("the name of a value")
      guard let known = reader.withBytes(of: name, { table.number(of: $0) }) else {
        throw JSONFault("There is no value \"\(JSONFault.short(reader.string(name)))\".")
      }
      value = Int64(known)
    }
    guard let value = Int32(exactly: value) else { throw JSONFault("It is too large.") }
    append(number, varint: UInt64(bitPattern: Int64(value)))
  }
}
