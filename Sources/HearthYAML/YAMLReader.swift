/// Reads the part of YAML 1.2 that people write: maps, lists and texts in all their forms, the core
/// schema, comments, and tags. JSON is a part of it. Anchors, keys that are not texts and several
/// documents are refused.
package struct YAMLReader {
  private static let deepest = 100

  private let bytes: [UInt8]
  private(set) var place = 0
  private(set) var line = 1
  private(set) var lineStart = 0
  private var depth = 0
  /// How many brackets are open. Between them, lines and indentation mean nothing.
  var flowDepth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func read(_ bytes: some Sequence<UInt8>) throws(YAMLFault) -> YAMLNode {
    var reader = YAMLReader(try checked(Array(bytes)))
    try reader.skipBlank()
    if reader.is("%") { throw reader.fault("directives are not supported") }
    if reader.isMarker("---") { reader.advance(3) }
    let node = try reader.blockNode(within: -1, isAfterName: false)
    try reader.skipBlank()
    if reader.isMarker("---") { throw reader.fault("a second document begins") }
    if reader.isMarker("...") {
      reader.advance(3)
      try reader.skipBlank()
    }
    guard reader.isAtEnd else { throw reader.fault("does not belong to the lines above it") }
    return node
  }

  /// With one kind of line end, and without a byte order mark.
  private static func checked(_ bytes: [UInt8]) throws(YAMLFault) -> [UInt8] {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var checked: [UInt8] = []
    checked.reserveCapacity(rest.count)
    for (index, byte) in zip(rest.indices, rest) {
      if byte == UInt8(ascii: "\r") {
        let isPair = index + 1 < rest.endIndex && rest[index + 1] == UInt8(ascii: "\n")
        if !isPair { checked.append(UInt8(ascii: "\n")) }
      } else {
        checked.append(byte)
      }
    }
    if String(validating: checked, as: UTF8.self) != nil, !checked.contains(0) { return checked }
    let lines = checked.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil || $0.contains(0) }
    throw YAMLFault(line: 1 + (bad ?? 0), words: "the file is not UTF-8 text")
  }

  // MARK: Where it is

  var isAtEnd: Bool { place >= bytes.count }
  var column: Int { place - lineStart }

  /// The next byte, or one after it; zero at the end.
  func peek(_ ahead: Int = 0) -> UInt8 {
    place + ahead < bytes.count ? bytes[place + ahead] : 0
  }

  func `is`(_ character: Unicode.Scalar) -> Bool { peek() == UInt8(ascii: character) }

  func isOne(of characters: StaticString, ahead: Int = 0) -> Bool {
    let byte = peek(ahead)
    return byte != 0 && characters.withUTF8Buffer { $0.contains(byte) }
  }

  /// Whether there is space there, or the end of a line.
  func isBlank(ahead: Int) -> Bool { peek(ahead) == 0 || isOne(of: " \t\n", ahead: ahead) }

  /// Whether it is at the first character of a line, or after space.
  var isAfterBlank: Bool {
    place == lineStart || [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[place - 1])
  }

  /// Whether the document ends here.
  var isDone: Bool { isAtEnd || isMarker("---") || isMarker("...") }

  private func isMarker(_ marker: StaticString) -> Bool {
    guard column == 0, isBlank(ahead: 3) else { return false }
    return marker.withUTF8Buffer { $0.elementsEqual([peek(), peek(1), peek(2)]) }
  }

  func fault(_ words: String) -> YAMLFault { YAMLFault(line: line, words: words) }

  /// The text from there to here.
  func text(from start: Int) -> ArraySlice<UInt8> { bytes[start..<place] }

  // MARK: Moving

  mutating func advance(_ count: Int = 1) { place += count }

  mutating func newLine() {
    place += 1
    line += 1
    lineStart = place
  }

  mutating func skipSpaces() { while isOne(of: " \t") { place += 1 } }

  mutating func skipLine() { while !isAtEnd, !self.is("\n") { place += 1 } }

  /// To the next character that is neither space nor comment.
  mutating func skipBlank() throws(YAMLFault) {
    while true {
      skipSpaces()
      if self.is("#"), isAfterBlank { skipLine() }
      guard self.is("\n") else { break }
      newLine()
    }
    let indentation = bytes[lineStart..<min(place, bytes.count)]
    guard flowDepth == 0, !isAtEnd, indentation.contains(UInt8(ascii: "\t")) else { return }
    guard !indentation.allSatisfy({ [0x20, 0x09].contains($0) }) else {
      throw fault("a tab cannot indent a line; use spaces")
    }
  }

  /// Goes back, where something was tried.
  mutating func restore(_ other: YAMLReader) {
    (place, line, lineStart) = (other.place, other.line, other.lineStart)
  }

  mutating func nested(
    _ body: (inout YAMLReader) throws(YAMLFault) -> YAMLNode
  ) throws(YAMLFault) -> YAMLNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw fault("is nested more than \(Self.deepest) deep") }
    return try body(&self)
  }
}
