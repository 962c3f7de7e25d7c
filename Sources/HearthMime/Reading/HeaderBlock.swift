/// The headers before a body, unfolded and still in their bytes.
struct HeaderBlock {
  struct Field {
    var name: String
    var value: [UInt8]
  }

  static let longestBlock = 256 * 1024
  static let longestLine = 64 * 1024
  static let mostFields = 2_000

  private(set) var fields: [Field] = []
  /// Where the body begins.
  private(set) var end: Int
  private var isSkipping = false

  /// Before the headers of the mail itself, blank lines and the line `From …` of mailbox files are
  /// skipped.
  init(_ raw: [UInt8], range: Range<Int>, isTop: Bool, defects: inout MailDefects) {
    var position = isTop ? Self.start(raw, range: range, defects: &defects) : range.lowerBound
    let limit = position + Self.longestBlock
    end = range.upperBound
    while position < range.upperBound {
      let lineEnd = raw[position..<range.upperBound].firstIndex(of: ASCII.lineFeed)
      let next = lineEnd.map { $0 + 1 } ?? range.upperBound
      var line = raw[position..<(lineEnd ?? range.upperBound)]
      while line.last == ASCII.carriageReturn { line.removeLast() }
      if line.isEmpty {
        end = next
        break
      }
      if position < limit {
        add(line, defects: &defects)
      } else {
        defects.add("The headers are too long.")
      }
      position = next
    }
    for index in fields.indices {
      while fields[index].value.last?.isBlank == true { fields[index].value.removeLast() }
    }
    // Without any header, all of it is the body.
    if fields.isEmpty, end > range.lowerBound, !raw[range.lowerBound..<end].trimmed.isEmpty {
      end = range.lowerBound
    }
  }

  private static func start(
    _ raw: [UInt8], range: Range<Int>, defects: inout MailDefects
  ) -> Int {
    var position = range.lowerBound
    while position < range.upperBound, raw[position].isWhitespace { position += 1 }
    if position > range.lowerBound {
      guard isHeader(raw[position..<range.upperBound].prefix(longestLine)) else {
        return range.lowerBound
      }
      defects.add("The mail begins with blank lines.")
    }
    if raw[position..<range.upperBound].starts(with: "From ".utf8) {
      let lineEnd = raw[position..<range.upperBound].firstIndex(of: ASCII.lineFeed)
      position = lineEnd.map { $0 + 1 } ?? range.upperBound
    }
    return position
  }

  private static func isHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex else {
      return false
    }
    return isName(bytes[..<colon])
  }

  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (33...126).contains($0) }
  }

  private mutating func add(_ line: ArraySlice<UInt8>, defects: inout MailDefects) {
    if line.count > Self.longestLine { defects.add("A header line is too long; it was cut.") }
    let line = line.prefix(Self.longestLine)
    if let first = line.first, first.isBlank {
      if !isSkipping, let last = fields.indices.last {
        fields[last].value.append(contentsOf: line)
      }
      return
    }
    isSkipping = true
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      return defects.add("A header line has no colon; it was skipped.")
    }
    let name = line[..<colon].trimmed
    guard Self.isName(name) else {
      return defects.add("A header has an invalid name; it was skipped.")
    }
    guard fields.count < Self.mostFields else {
      return defects.add("There are more than \(Self.mostFields) headers; the rest was skipped.")
    }
    isSkipping = false
    fields.append(
      Field(
        name: String(decoding: name, as: UTF8.self),
        value: Array(line[(colon + 1)...].drop { $0.isBlank })))
  }

  /// The first field of a name, which is in lower case.
  func first(_ name: String) -> [UInt8]? {
    fields.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
  }
}
