/// A template cut into text and tags, with white space removed where tags say so.
struct HandlebarsTokens {
  struct Tag {
    enum Kind: Equatable {
      case output, unescaped
      case open, inverse, close, partial, partialBlock, comment
      /// `{{else}}`, `{{else if x}}` and `{{^}}`.
      case alternative
    }

    var kind: Kind
    /// Without the marks.
    var content: String
    /// The indentation of a partial on a line of its own.
    var indentation = ""
  }

  enum Token {
    case text(String)
    case tag(Tag)
  }

  private(set) var tokens: [Token] = []

  /// A tag with `~` on either side.
  private struct Piece {
    var text: ArraySlice<UInt8> = []
    var tag: Tag?
    var stripsBefore = false
    var stripsAfter = false
  }

  init(_ template: String) throws(HandlebarsError) {
    var pieces = try Self.cut(Array(template.utf8))
    Self.removeStandaloneLines(&pieces)
    Self.strip(&pieces)
    tokens = pieces.compactMap { piece in
      if let tag = piece.tag { return tag.kind == .comment ? nil : .tag(tag) }
      return piece.text.isEmpty ? nil : .text(String(decoding: piece.text, as: UTF8.self))
    }
  }

  // MARK: Cutting

  private static func cut(_ bytes: [UInt8]) throws(HandlebarsError) -> [Piece] {
    var pieces: [Piece] = []
    var text: [UInt8] = []
    var position = 0
    while position < bytes.count {
      guard starts(bytes, position: position, with: "{{") else {
        text.append(bytes[position])
        position += 1
        continue
      }
      if text.last == UInt8(ascii: "\\") {
        text.removeLast()
        // Two backslashes mean one, and a tag.
        if text.last != UInt8(ascii: "\\") {
          let end = find("}}", bytes: bytes, from: position) ?? bytes.count - 2
          text += bytes[position..<min(bytes.count, end + 2)]
          position = min(bytes.count, end + 2)
          continue
        }
      }
      pieces.append(Piece(text: text[...]))
      text = []
      let (piece, end) = try tag(bytes, at: position)
      pieces.append(piece)
      position = end
    }
    pieces.append(Piece(text: text[...]))
    return pieces
  }

  private static func tag(
    _ bytes: [UInt8], at start: Int
  ) throws(HandlebarsError) -> (Piece, end: Int) {
    var piece = Piece()
    let isTriple = starts(bytes, position: start, with: "{{{")
    guard !starts(bytes, position: start, with: "{{{{") else {
      throw HandlebarsError("Parse error: raw blocks are not supported")
    }
    var from = start + (isTriple ? 3 : 2)
    if from < bytes.count, bytes[from] == UInt8(ascii: "~") {
      piece.stripsBefore = true
      from += 1
    }
    let isLongComment = starts(bytes, position: from, with: "!--")
    let closing = isLongComment ? "--" : isTriple ? "}" : "}}"
    guard let end = closingMark(closing, bytes: bytes, from: from) else {
      let line = bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1
      throw HandlebarsError("Parse error on line \(line): a tag is not closed")
    }
    var content = bytes[from..<end.start]
    if content.last == UInt8(ascii: "~") {
      piece.stripsAfter = true
      content = content.dropLast()
    }
    if end.hasTilde { piece.stripsAfter = true }
    piece.tag = tag(String(decoding: content, as: UTF8.self), isTriple: isTriple)
    return (piece, end.end)
  }

  private static func closingMark(
    _ mark: String, bytes: [UInt8], from start: Int
  ) -> (start: Int, end: Int, hasTilde: Bool)? {
    var position = start
    while let found = find(mark, bytes: bytes, from: position) {
      var after = found + (mark == "}}" ? 0 : mark.utf8.count)
      var hasTilde = false
      if mark != "}}", after < bytes.count, bytes[after] == UInt8(ascii: "~") {
        hasTilde = true
        after += 1
      }
      if starts(bytes, position: after, with: "}}") { return (found, after + 2, hasTilde) }
      position = found + 1
    }
    return nil
  }

  private static func tag(_ content: String, isTriple: Bool) -> Tag {
    if isTriple { return Tag(kind: .unescaped, content: content) }
    let rest = String(content.dropFirst())
    switch content.first {
    case "!": return Tag(kind: .comment, content: "")
    case "&": return Tag(kind: .unescaped, content: rest)
    case "#":
      if rest.first == ">" { return Tag(kind: .partialBlock, content: String(rest.dropFirst())) }
      return Tag(kind: .open, content: rest)
    case "/": return Tag(kind: .close, content: rest.trimmedOfSpace)
    case ">": return Tag(kind: .partial, content: rest)
    case "^":
      let name = rest.trimmedOfSpace
      return Tag(kind: name.isEmpty ? .alternative : .inverse, content: name)
    default:
      let text = content.trimmedOfSpace
      if text == "else" { return Tag(kind: .alternative, content: "") }
      if text.hasPrefix("else"), text.dropFirst(4).first?.isWhitespace == true {
        return Tag(kind: .alternative, content: String(text.dropFirst(5)).trimmedOfSpace)
      }
      return Tag(kind: .output, content: content)
    }
  }

  private static func starts(_ bytes: [UInt8], position: Int, with mark: String) -> Bool {
    position + mark.utf8.count <= bytes.count
      && bytes[position...].starts(with: mark.utf8)
  }

  private static func find(_ mark: String, bytes: [UInt8], from start: Int) -> Int? {
    guard let first = mark.utf8.first else { return nil }
    var position = start
    while position < bytes.count {
      if bytes[position] == first, starts(bytes, position: position, with: mark) { return position }
      position += 1
    }
    return nil
  }

  // MARK: White space

  /// A line with nothing but a tag that prints nothing goes altogether.
  private static func removeStandaloneLines(_ pieces: inout [Piece]) {
    var lines: [(index: Int, start: Int, end: Int)] = []
    for index in pieces.indices {
      guard let tag = pieces[index].tag, tag.kind != .output, tag.kind != .unescaped,
        let start = lineStart(pieces[index - 1].text, isFirst: index == 1),
        let end = lineEnd(pieces[index + 1].text, isLast: index + 1 == pieces.count - 1)
      else { continue }
      lines.append((index, start, end))
    }
    for line in lines.reversed() {
      let before = pieces[line.index - 1].text
      pieces[line.index].tag?.indentation = String(decoding: before[line.start...], as: UTF8.self)
      pieces[line.index + 1].text = pieces[line.index + 1].text[line.end...]
    }
    for line in lines {
      let text = pieces[line.index - 1].text
      // The same text may have lost its beginning to the tag before.
      pieces[line.index - 1].text = text[..<max(text.startIndex, line.start)]
    }
  }

  /// Where the line begins that the text ends with, if there are only blanks on it.
  private static func lineStart(_ text: ArraySlice<UInt8>, isFirst: Bool) -> Int? {
    let end = text.lastIndex { !isBlank($0) }
    guard let end else { return isFirst ? text.startIndex : nil }
    return text[end] == UInt8(ascii: "\n") ? end + 1 : nil
  }

  /// After the end of the line that the text begins with, if there are only blanks on it.
  private static func lineEnd(_ text: ArraySlice<UInt8>, isLast: Bool) -> Int? {
    guard let start = text.firstIndex(where: { !isBlank($0) }) else {
      return isLast ? text.endIndex : nil
    }
    if text[start] == UInt8(ascii: "\n") { return start + 1 }
    guard text[start] == UInt8(ascii: "\r"), start + 1 < text.endIndex,
      text[start + 1] == UInt8(ascii: "\n")
    else { return nil }
    return start + 2
  }

  private static func strip(_ pieces: inout [Piece]) {
    for index in pieces.indices where pieces[index].tag != nil {
      if pieces[index].stripsBefore {
        let text = pieces[index - 1].text
        let end = text.lastIndex { !isSpace($0) }
        pieces[index - 1].text = end.map { text[...$0] } ?? []
        pieces[index].tag?.indentation = ""
      }
      if pieces[index].stripsAfter {
        pieces[index + 1].text = pieces[index + 1].text.drop(while: isSpace)
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }
}

extension String {
  var trimmedOfSpace: String {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}
