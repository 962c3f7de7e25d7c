import HearthWire

/// Comma-separated values (RFC 4180) with a line of names.
///
/// What has no quotation marks and reads as a number, `true`, `false` or `null` is that; lists and
/// objects are JSON, with quotation marks or without. Everything else is text. An empty value without
/// quotation marks is a field that is not there.
enum CSVRows {
  struct Value {
    let text: String
    let isQuoted: Bool
    let line: Int
  }

  static func rows(_ file: [UInt8]) throws(DocumentRowFault) -> [DocumentRow] {
    var reader = CSVReader(file)
    guard let header = try reader.row() else {
      throw DocumentRowFault(line: 1, words: "a line with the names of the fields is expected")
    }
    let names = header.map(\.text)
    guard Set(names).count == names.count, names.allSatisfy({ !$0.isEmpty }) else {
      throw DocumentRowFault(line: 1, words: "each column needs a name of its own")
    }
    var rows: [DocumentRow] = []
    while let values = try reader.row() {
      guard let first = values.first else { continue }
      guard values.count == names.count else {
        throw DocumentRowFault(
          line: first.line, words: "\(values.count) values for \(names.count) columns")
      }
      var members = JSONObject()
      for (name, value) in zip(names, values) {
        if let json = json(value) { members.append(name, json) }
      }
      rows.append(DocumentRow(line: first.line, members: members))
    }
    return rows
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
      throw DocumentRowFault(line: line, words: "a comma is expected behind a value")
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
    throw DocumentRowFault(line: start, words: "the quotation mark is never closed")
  }
}
