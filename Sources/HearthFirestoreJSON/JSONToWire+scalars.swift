import HearthFirestoreProtos
import HearthTime
import HearthWire
import SwiftProtobuf

extension JSONToWire {
  package mutating func scalar(_ type: FieldType, number: Int) throws(JSONFault) {
    switch type {
    case .bool: append(number, varint: try bool() ? 1 : 0)
    case .int32:
      let text = try numeral("TYPE_INT32")
      guard let value = integer(text).flatMap(Int32.init(exactly:)) else {
        throw .value("TYPE_INT32", value: text.shown)
      }
      append(number, varint: UInt64(bitPattern: Int64(value)))
    case .int64:
      let text = try numeral("TYPE_INT64")
      guard let value = integer(text) else { throw .value("TYPE_INT64", value: text.shown) }
      append(number, varint: UInt64(bitPattern: value))
    case .double: append(number, bits: try double().bitPattern)
    case .string:
      // As the official emulator: the text of a number, of true and of false will do.
      if reader.isNumberNext() {
        append(number, bytes: reader.bytes[try rangeOfNumber()])
      } else if try take(word: "true") {
        append(number, bytes: "true".utf8)
      } else if try take(word: "false") {
        append(number, bytes: "false".utf8)
      } else {
        append(number, text: try string("TYPE_STRING"))
      }
    case .bytes:
      let text = try string("TYPE_BYTES")
      guard let bytes = reader.withBytes(of: text, { Base64.decode($0) }),
        isLenient || !reader.withBytes(of: text, { $0.mixesBase64 })
      else {
        let text = JSONFault.short(reader.string(text))
        throw .value("TYPE_BYTES", value: "Base64 decoding failed for \"\(text)\"")
      }
      append(number, bytes: bytes)
    case .timestamp: try timestamp(number)
    case .null: try null(number)
    case .enumeration(let table): try enumeration(table, number: number)
    case .message, .wrapper, .duration, .structure, .other:
      throw .value("message", value: try plainValue())
    }
  }

  private mutating func string(_ type: String) throws(JSONFault) -> JSONReader.Text {
    guard reader.peek() == UInt8(ascii: "\"") else { throw .value(type, value: try plainValue()) }
    return try text()
  }

  private mutating func bool() throws(JSONFault) -> Bool {
    if reader.peek() == UInt8(ascii: "\"") {
      let text = reader.string(try text())
      switch text {
      case "true": return true
      case "false": return false
      default: throw .value("TYPE_BOOL", value: "\"\(JSONFault.short(text))\"")
      }
    }
    if try take(word: "true") { return true }
    if try take(word: "false") { return false }
    throw .value("TYPE_BOOL", value: try plainValue())
  }

  /// The text of a number, which may stand in quotes, and how it is shown.
  private mutating func numeral(
    _ type: String
  ) throws(JSONFault) -> (text: String, shown: String) {
    if reader.isNumberNext() {
      let text = String(decoding: reader.bytes[try rangeOfNumber()], as: UTF8.self)
      return (text, JSONFault.short(text))
    }
    let text = reader.string(try string(type))
    return (text, "\"\(JSONFault.short(text))\"")
  }

  /// In quotes, production reads nothing but digits and a sign.
  private func integer(_ numeral: (text: String, shown: String)) -> Int64? {
    isLenient && numeral.shown.hasPrefix("\"") ? Int64(numeral.text) : Self.integer(numeral.text)
  }

  /// Also `5.0` and `1e3`, which are whole.
  private static func integer(_ text: String) -> Int64? {
    if let value = Int64(text) { return value }
    guard let value = finite(text), let whole = Int64(exactly: value) else { return nil }
    // Beyond this, a double no longer says which integer is meant.
    return whole.magnitude <= 1 << 53 ? whole : nil
  }

  private mutating func double() throws(JSONFault) -> Double {
    let (text, shown) = try numeral("TYPE_DOUBLE")
    switch text {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      guard let value = Self.finite(text) else { throw .value("TYPE_DOUBLE", value: shown) }
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
    let text = try string("type.googleapis.com/google.protobuf.Timestamp")
    let time = reader.withBytes(of: text) { Timestamp.parts(iso8601: $0) }
    // The official emulator takes no small letters.
    let isSpelledRight = isLenient || !reader.withBytes(of: text) { $0.hasSmallLetters }
    guard let time, isSpelledRight, Google_Protobuf_Timestamp.years.contains(time.seconds) else {
      // A year of more than four digits is read as a year.
      let isLongYear = reader.withBytes(of: text) { bytes in
        bytes.count > 4 && bytes.prefix(5).allSatisfy(\.isASCIIDigit)
      }
      throw .timestamp(
        time != nil && isSpelledRight || isLongYear
          ? "Timestamp value exceeds limits"
          : "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone "
            + "offset.")
    }
    let start = begin(number)
    append(1, varint: UInt64(bitPattern: time.seconds))
    append(2, varint: UInt64(bitPattern: time.nanoseconds))
    finish(start)
  }

  /// `null`, or the enumeration's name or number.
  private mutating func null(_ number: Int) throws(JSONFault) {
    let type = "type.googleapis.com/google.protobuf.NullValue"
    if reader.peek() == UInt8(ascii: "\"") {
      let text = reader.string(try text())
      guard text == "NULL_VALUE" else { throw .value(type, value: "\"\(JSONFault.short(text))\"") }
    } else if reader.isNumberNext() {
      let (text, shown) = try numeral(type)
      guard Self.integer(text) == 0 else { throw .value(type, value: shown) }
    } else if try !take(word: "null") {
      throw .value(type, value: try plainValue())
    }
    append(number, varint: 0)
  }

  private mutating func enumeration(_ table: EnumTable, number: Int) throws(JSONFault) {
    let type = "type.googleapis.com/\(table.type)"
    let value: Int64?
    let shown: String
    if reader.isNumberNext() {
      let numeral = try numeral(type)
      (value, shown) = (Self.integer(numeral.text), numeral.shown)
    } else {
      let name = try string(type)
      let known = reader.withBytes(of: name) { table.number(of: $0, isLenient: isLenient) }
      value = known.map(Int64.init)
      shown = "\"\(JSONFault.short(reader.string(name)))\""
    }
    guard let value = value.flatMap(Int32.init(exactly:)) else { throw .value(type, value: shown) }
    append(number, varint: UInt64(bitPattern: Int64(value)))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether characters of both alphabets of Base64 are there.
  fileprivate var mixesBase64: Bool {
    contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
      && contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  fileprivate var hasSmallLetters: Bool {
    contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") }
  }
}
