import HearthWire

/// The file formats in which documents are imported and exported.
enum DocumentFormat: String, CaseIterable {
  case json, ndjson, csv

  /// The member with the id of the document.
  static let id = "__id__"

  var contentType: String {
    switch self {
    case .json: "application/json"
    case .ndjson: "application/x-ndjson"
    case .csv: "text/csv; charset=utf-8"
    }
  }
}

/// A row of a file, and the line on which it begins.
struct DocumentRow: Sendable {
  let line: Int
  let members: JSONObject
}

/// A row that cannot be read.
struct DocumentRowFault: Error {
  let line: Int
  let words: String
}

/// The rows of a file, one after the other.
struct DocumentText {
  private enum Rows {
    case all(ArraySlice<DocumentRow>)
    case csv(CSVRows)
  }

  private var rows: Rows

  /// - Throws: what is wrong in the file, as far as it is read here.
  init(_ file: [UInt8], format: DocumentFormat) throws(DocumentRowFault) {
    rows =
      switch format {
      case .json: .all(try Self.json(file)[...])
      case .ndjson: .all(try Self.lines(String(decoding: file, as: UTF8.self))[...])
      case .csv: .csv(try CSVRows(file))
      }
  }

  /// The next rows, at most so many; none at the end.
  mutating func next(_ count: Int) throws(DocumentRowFault) -> [DocumentRow] {
    switch rows {
    case .all(let rest):
      rows = .all(rest.dropFirst(count))
      return Array(rest.prefix(count))
    case .csv(var reader):
      var found: [DocumentRow] = []
      while found.count < count, let row = try reader.next() { found.append(row) }
      rows = .csv(reader)
      return found
    }
  }

  /// A list of documents, or an object of them by their ids.
  private static func json(_ bytes: [UInt8]) throws(DocumentRowFault) -> [DocumentRow] {
    let json: JSON
    do { json = try JSON.parse(bytes) } catch {
      throw DocumentRowFault(
        line: 1 + bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") },
        words: error.reason)
    }
    let elements: [(id: String?, key: String, value: JSON)]
    switch json {
    case .array(let list): elements = list.enumerated().map { (nil, String($0.offset), $0.element) }
    case .object(let object): elements = object.members.map { ($0.key, $0.key, $0.value) }
    default: throw DocumentRowFault(line: 1, words: "expected a list of documents")
    }
    var lines = ElementLines(bytes)
    var rows: [DocumentRow] = []
    for element in elements {
      let line = lines.next()
      guard var members = element.value.object else {
        throw DocumentRowFault(line: line, words: "expected an object with fields")
      }
      if let id = element.id { members[DocumentFormat.id] = .string(id) }
      rows.append(DocumentRow(line: line, members: members))
    }
    return rows
  }

  private static func lines(_ text: String) throws(DocumentRowFault) -> [DocumentRow] {
    var rows: [DocumentRow] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let json: JSON
      do { json = try JSON.parse(String(line)) } catch {
        throw DocumentRowFault(line: index + 1, words: error.description)
      }
      guard let members = json.object else {
        throw DocumentRowFault(line: index + 1, words: "expected an object with fields")
      }
      rows.append(DocumentRow(line: index + 1, members: members))
    }
    return rows
  }
}

/// The lines on which the elements of a list, or the values of an object, begin; in one pass.
private struct ElementLines {
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let start = bytes.firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } ?? 0
    skip(to: start + 1)
  }

  private mutating func skip(to end: Int) {
    while place < min(end, bytes.count) {
      if bytes[place] == UInt8(ascii: "\n") { line += 1 }
      place += 1
    }
  }

  /// The text is known to be JSON, and to have another element.
  mutating func next() -> Int {
    skipBlanks()
    let found = line
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if depth == 0, place < bytes.count, bytes[place] == UInt8(ascii: ",") { break }
      skip(to: place + 1)
    }
    skip(to: place + 1)
    return found
  }

  private mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) {
      skip(to: place + 1)
    }
  }

  /// Up to its last quotation mark.
  private mutating func skipString() {
    skip(to: place + 1)
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      skip(to: place + (bytes[place] == UInt8(ascii: "\\") ? 2 : 1))
    }
  }
}
