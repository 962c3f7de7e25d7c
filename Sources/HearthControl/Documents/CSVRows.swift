import HearthWire

/// Comma-separated values (RFC 4180) with a line of names.
///
/// What has no quotation marks and reads as a number, `true`, `false` or `null` is that; lists and
/// objects are JSON, with quotation marks or without. Everything else is text. An empty value without
/// quotation marks is a field that is not there.
///
/// Rows are read one by one: in memory they take many times what they take in the file.
struct CSVRows {
  struct Value {
    let text: String
    let isQuoted: Bool
    let line: Int
  }

  private var reader: CSVReader
  private let names: [String]

  init(_ file: [UInt8]) throws(DocumentRowFault) {
    reader = CSVReader(file)
    guard let header = try reader.row() else {
      throw DocumentRowFault(line: 1, words: "expected a line with the names of the fields")
    }
    names = header.map(\.text)
    guard Set(names).count == names.count, names.allSatisfy({ !$0.isEmpty }) else {
      throw DocumentRowFault(line: 1, words: "each column needs its own name")
    }
  }

  /// The next row; nil at the end.
  mutating func next() throws(DocumentRowFault) -> DocumentRow? {
    guard let values = try reader.row(), let first = values.first else { return nil }
    guard values.count == names.count else {
      throw DocumentRowFault(
        line: first.line, words: "\(values.count) values for \(names.count) columns")
    }
    var members = JSONObject()
    for (name, value) in zip(names, values) {
      if let json = Self.json(value) { members.append(name, value: json) }
    }
    return DocumentRow(line: first.line, members: members)
  }

  private static func json(_ value: Value) -> JSON? {
    let isStructure = value.text.hasPrefix("{") || value.text.hasPrefix("[")
    if value.isQuoted, !isStructure { return .string(value.text) }
    if value.text.isEmpty { return nil }
    return (try? JSON.parse(value.text)) ?? .string(value.text)
  }

  // MARK: Writing

  /// Texts that would be read as something else have quotation marks.
  static func text(names: [String], _ rows: [JSONObject]) -> String {
    var lines = [names.map { quoted($0) }.joined(separator: ",")]
    for row in rows {
      lines.append(names.map { row[$0].map(written) ?? "" }.joined(separator: ","))
    }
    return lines.map { $0 + "\r\n" }.joined()
  }

  private static func written(_ json: JSON) -> String {
    switch json {
    case .string(let text):
      (try? JSON.parse(text)) != nil || text.isEmpty ? marked(text) : quoted(text)
    case .object, .array: marked(json.text)
    case .null, .bool, .int, .double: json.text
    }
  }

  private static func quoted(_ text: String) -> String {
    text.contains { ",\"\r\n".contains($0) || $0.isNewline } ? marked(text) : text
  }

  private static func marked(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}

/// Cuts a text into rows.
private struct CSVReader {
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  /// The next row that is not empty; nil at the end.
  mutating func row() throws(DocumentRowFault) -> [CSVRows.Value]? {
    while place < bytes.count, endsLine(bytes[place]) { step() }
    guard place < bytes.count else { return nil }
    var values: [CSVRows.Value] = []
    while true {
      values.append(try value())
      guard place < bytes.count, bytes[place] == UInt8(ascii: ",") else { break }
      step()
    }
    if place < bytes.count, !endsLine(bytes[place]) {
      throw DocumentRowFault(line: line, words: "expected a comma after the value")
    }
    return values
  }

  private func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private mutating func step() {
    if bytes[place] == 0x0A { line += 1 }
    place += 1
  }

  private mutating func value() throws(DocumentRowFault) -> CSVRows.Value {
    let start = line
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
      let first = place
      while place < bytes.count, bytes[place] != UInt8(ascii: ","), !endsLine(bytes[place]) {
        step()
      }
      let text = String(decoding: bytes[first..<place], as: UTF8.self)
      return CSVRows.Value(text: text, isQuoted: false, line: start)
    }
    step()
    var text: [UInt8] = []
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\"") {
        step()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
          return CSVRows.Value(
            text: String(decoding: text, as: UTF8.self), isQuoted: true, line: start)
        }
      }
      text.append(bytes[place])
      step()
    }
    throw DocumentRowFault(line: start, words: "the quotation mark is not closed")
  }
}
