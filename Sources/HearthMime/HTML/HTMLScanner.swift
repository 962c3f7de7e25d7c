import HearthWire

/// Cuts HTML into tags and text, as browsers do. Every step moves on, so that the time grows with the
/// length alone. https://html.spec.whatwg.org/multipage/parsing.html
struct HTMLScanner {
  enum Token {
    case text(ArraySlice<UInt8>)
    case start(HTMLTag)
    case end(String)
    /// What is within `script`, `style` and the like: text without tags and entities.
    case raw(element: String, ArraySlice<UInt8>)
  }

  private static let rawElements: Set<String> = [
    "script", "style", "xmp", "iframe", "noembed", "noframes", "title", "textarea", "plaintext",
  ]
  private static let mostAttributes = 100

  private let bytes: [UInt8]
  private var position = 0
  /// The element whose raw text comes next.
  private var rawElement: String?

  init(_ html: String) { bytes = Array(html.utf8) }

  mutating func next() -> Token? {
    if let element = rawElement {
      rawElement = nil
      return .raw(element: element, rawText(of: element))
    }
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<"), position + 1 < bytes.count else {
        return .text(text())
      }
      let mark = bytes[position + 1]
      if mark.isASCIILetter {
        position += 1
        guard let tag = tag() else { return nil }
        if Self.rawElements.contains(tag.name) { rawElement = tag.name }
        return .start(tag)
      }
      if mark == UInt8(ascii: "/"), position + 2 < bytes.count, bytes[position + 2].isASCIILetter {
        position += 2
        return tag().map { .end($0.name) }
      }
      guard mark == UInt8(ascii: "!") || mark == UInt8(ascii: "?") || mark == UInt8(ascii: "/")
      else { return .text(text()) }
      skipComment()
    }
    return nil
  }

  /// Up to the next `<`, and at least one byte.
  private mutating func text() -> ArraySlice<UInt8> {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    return bytes[start..<position]
  }

  private mutating func rawText(of element: String) -> ArraySlice<UInt8> {
    let start = position
    while element != "plaintext", position < bytes.count {
      if bytes[position] == UInt8(ascii: "<"), endsRawText(element) {
        return bytes[start..<position]
      }
      position += 1
    }
    position = bytes.count
    return bytes[start...]
  }

  private func endsRawText(_ element: String) -> Bool {
    let name = position + 2
    let end = name + element.utf8.count
    guard end < bytes.count, bytes[position + 1] == UInt8(ascii: "/") else { return false }
    guard zip(bytes[name..<end], element.utf8).allSatisfy({ $0.lowercasedASCII == $1 }) else {
      return false
    }
    return bytes[end].isWhitespace || bytes[end] == UInt8(ascii: ">")
      || bytes[end] == UInt8(ascii: "/")
  }

  /// A comment, a document type, or what browsers take for a comment.
  private mutating func skipComment() {
    guard bytes.hasBytes("<!--", at: position) else {
      while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
      position += 1
      return
    }
    // `<!-->` and `<!--->` are whole comments.
    position += 2
    while position < bytes.count {
      if bytes.hasBytes("-->", at: position) || bytes.hasBytes("--!>", at: position) {
        position += bytes[position + 2] == UInt8(ascii: ">") ? 3 : 4
        return
      }
      position += 1
    }
  }

  /// A tag from its name on. Nil where the HTML ends within it.
  private mutating func tag() -> HTMLTag? {
    var tag = HTMLTag(name: word { !$0.isWhitespace && $0 != UInt8(ascii: "/") })
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        return tag
      }
      if byte.isWhitespace || byte == UInt8(ascii: "/") {
        position += 1
        continue
      }
      guard let (name, value) = attribute() else { return nil }
      if tag.attributes.count < Self.mostAttributes, tag[name] == nil {
        tag.attributes.append(HTMLTag.Attribute(name: name, value: value))
      }
    }
    return nil
  }

  /// In lower case, up to `>` or what the condition refuses.
  private mutating func word(_ condition: (UInt8) -> Bool) -> String {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: ">"), condition(bytes[position]) {
      position += 1
    }
    return String(decoding: bytes[start..<position].map(\.lowercasedASCII), as: UTF8.self)
  }

  private mutating func attribute() -> (String, String)? {
    let start = position
    // A `=` in front belongs to the name.
    position += 1
    while position < bytes.count, !bytes[position].isWhitespace,
      !"/>=".utf8.contains(bytes[position])
    {
      position += 1
    }
    let name = String(decoding: bytes[start..<position].map(\.lowercasedASCII), as: UTF8.self)
    skipWhitespace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return (name, "") }
    position += 1
    skipWhitespace()
    guard position < bytes.count else { return nil }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = position
      while position < bytes.count, !bytes[position].isWhitespace,
        bytes[position] != UInt8(ascii: ">")
      {
        position += 1
      }
      return (name, HTMLEntities.decode(bytes[start..<position]))
    }
    let valueStart = position + 1
    guard let end = bytes[valueStart...].firstIndex(of: quote) else {
      position = bytes.count
      return nil
    }
    position = end + 1
    return (name, HTMLEntities.decode(bytes[valueStart..<end]))
  }

  private mutating func skipWhitespace() {
    while position < bytes.count, bytes[position].isWhitespace { position += 1 }
  }
}

struct HTMLTag {
  struct Attribute {
    var name: String
    /// With entities decoded.
    var value: String
  }

  /// In lower case.
  var name: String
  var attributes: [Attribute] = []

  subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Elements without an end tag.
  var isVoid: Bool { Self.void.contains(name) }

  private static let void: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
  ]
}
