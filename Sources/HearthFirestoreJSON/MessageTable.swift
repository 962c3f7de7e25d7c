import HearthFirestoreProtos

/// The fields of a message: what JSON calls them, and what the wire does. Made once and never changed;
/// a class, so that handing it on costs nothing.
final class MessageTable: Sendable {
  let name: String
  let fields: [MessageField]
  /// For each number on the wire the place in `fields`, plus one.
  private let places: [UInt8]

  fileprivate init(name: String, fields: [MessageField]) {
    self.name = name
    self.fields = fields
    var places = [UInt8](repeating: 0, count: (fields.map(\.number).max() ?? 0) + 1)
    for (place, field) in fields.enumerated() {
      places[field.number] = UInt8(truncatingIfNeeded: place + 1)
    }
    self.places = places
  }

  func field(_ number: Int) -> MessageField? {
    guard number < places.count, places[number] > 0 else { return nil }
    return fields[Int(places[number]) - 1]
  }

  /// What Google calls the fields of which a message has one.
  func oneof(of field: MessageField) -> String {
    switch (name.split(separator: ".").last, field.name) {
    case ("Value", _): "value_type"
    case ("Write", _): "operation"
    case ("Precondition", _): "condition_type"
    case ("FieldTransform", _): "transform_type"
    case ("TransactionOptions", _): "mode"
    case ("Filter", _): "filter_type"
    case ("Aggregation", _): "operator"
    case ("ListenRequest", _): "target_change"
    case ("Target", "resumeToken"), ("Target", "readTime"): "resume_type"
    case ("Target", _): "target_type"
    default: "consistency_selector"
    }
  }

  func field(named name: UnsafeBufferPointer<UInt8>) -> MessageField? {
    fields.first { $0.isNamed(name) }
  }
}

/// A field of a message. A class, because it is handed on for every member of every message.
final class MessageField: Sendable {
  let number: Int
  let name: String
  let label: Label
  let type: FieldType
  /// The field's own bit among those of its message.
  let bit: UInt64
  /// The bits of the other fields of its oneof.
  let rivals: UInt64
  /// The name in quotes, with its colon.
  let key: [UInt8]
  private let camelCase: [UInt8]
  private let snakeCase: [UInt8]

  var snakeName: String { String(decoding: snakeCase, as: UTF8.self) }

  enum Label: Sendable { case single, repeated, map }

  /// Whether the wire puts two of them together instead of taking the last.
  var isPutTogether: Bool {
    if case .message = type { true } else { label != .single }
  }

  fileprivate init(
    _ number: Int, name: String, label: Label, type: FieldType, bit: UInt64, rivals: UInt64
  ) {
    self.number = number
    self.name = name
    self.label = label
    self.type = type
    self.bit = bit
    self.rivals = rivals
    key = Array("\"\(name)\":".utf8)
    camelCase = Array(name.utf8)
    snakeCase = name.utf8.reduce(into: []) { words, byte in
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { words.append(UInt8(ascii: "_")) }
      words.append(byte | 0x20)
    }
  }

  /// Google's JSON knows a field by either spelling.
  fileprivate func isNamed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.count == camelCase.count, Self.isSame(text, name: camelCase) { return true }
    return text.count == snakeCase.count && Self.isSame(text, name: snakeCase)
  }

  /// Of two texts of one length.
  private static func isSame(_ text: UnsafeBufferPointer<UInt8>, name: [UInt8]) -> Bool {
    for place in 0..<text.count where text[place] != name[place] { return false }
    return true
  }
}

enum FieldType: Sendable {
  case bool, int32, int64, double, string, bytes, timestamp, duration
  /// `google.protobuf.Struct`: an object of any members. Never read.
  case structure
  /// The one value of `NullValue`.
  case null
  case enumeration(EnumTable)
  /// A place in `MessageTables.all`.
  case message(Int)
  /// `google.protobuf.Int32Value` and its like: the bare value in JSON.
  indirect case wrapper(FieldType)
  /// Never sent, and not understood.
  case other
}

/// The names and numbers of an enumeration.
struct EnumTable: Sendable {
  let type: String
  fileprivate(set) var values: [(number: Int, name: String)] = []

  func name(of number: Int) -> String? { values.first { $0.number == number }?.name }

  func number(of name: UnsafeBufferPointer<UInt8>, isLenient: Bool) -> Int? {
    if let found = values.first(where: { $0.name.utf8.elementsEqual(name) }) { return found.number }
    guard isLenient else { return nil }
    let wanted = String(decoding: name, as: UTF8.self).uppercased()
    return values.first { $0.name == wanted }?.number
  }
}

/// The tables of all messages, read from the text that is generated with them.
struct MessageTables: Sendable {
  static let shared = MessageTables(MessageTableText.all)

  let all: [MessageTable]
  private let places: [String: Int]

  subscript(name: String) -> MessageTable? { places[name].map { all[$0] } }

  private init(_ text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    var enums: [String: EnumTable] = [:]
    var places: [String: Int] = [:]
    for line in lines {
      switch line[0] {
      case "#":
        enums[line[1], default: EnumTable(type: line[1])].values.append(
          (Int(line[2]) ?? 0, line[3]))
      case "=": places[line[1]] = places.count
      default: break
      }
    }
    self.places = places
    var all: [MessageTable] = []
    var name = ""
    var rows: [[String]] = []
    for line in lines + [["=", ""]] where line[0] != "#" {
      guard line[0] == "=" else {
        rows.append(line)
        continue
      }
      if !name.isEmpty { all.append(Self.table(name, rows: rows, places: places, enums: enums)) }
      (name, rows) = (line[1], [])
    }
    self.all = all
  }

  private static func table(
    _ name: String, rows: [[String]], places: [String: Int], enums: [String: EnumTable]
  ) -> MessageTable {
    // A number as the label is that of a oneof.
    var oneofs: [String: UInt64] = [:]
    for (place, row) in rows.enumerated() where Int(row[2]) != nil {
      oneofs[row[2], default: 0] |= 1 << UInt64(place)
    }
    let fields = rows.enumerated().map { place, row in
      let bit: UInt64 = 1 << UInt64(place)
      let label: MessageField.Label =
        switch row[2] {
        case "*": .repeated
        case "%": .map
        default: .single
        }
      return MessageField(
        Int(row[0]) ?? 0, name: row[1], label: label,
        type: type(row[3], places: places, enums: enums), bit: bit,
        rivals: (oneofs[row[2]] ?? 0) & ~bit)
    }
    return MessageTable(name: name, fields: fields)
  }

  private static func type(
    _ name: String, places: [String: Int], enums: [String: EnumTable]
  ) -> FieldType {
    switch name {
    case "bool": .bool
    case "int32": .int32
    case "int64": .int64
    case "double": .double
    case "string": .string
    case "bytes": .bytes
    case "google.protobuf.Timestamp": .timestamp
    case "google.protobuf.Duration": .duration
    case "google.protobuf.Struct": .structure
    case "google.protobuf.NullValue": .null
    case "google.protobuf.Int32Value": .wrapper(.int32)
    case "google.protobuf.Int64Value": .wrapper(.int64)
    case "google.protobuf.DoubleValue": .wrapper(.double)
    default:
      places[name].map { .message($0) } ?? enums[name].map { .enumeration($0) } ?? .other
    }
  }
}
