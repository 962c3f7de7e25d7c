/// Reads XML 1.0 with namespaces, as far as messages need it.
///
/// What makes XML dangerous is not read but refused: document types, and with them entities of one's
/// own, and processing instructions. Comments are dropped, and the texts around one become one text, as
/// signatures see it. Depth and size have bounds.
package struct XMLReader {
  /// Why a text is refused.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  package static let longest = 256 << 10
  package static let deepest = 32
  private static let mostNodes = 8_192
  private static let mostAttributes = 64
  /// Each element keeps the namespaces that count in it, and the canonical form repeats their names at
  /// each element that needs them: without bounds, a small document fills the memory.
  private static let mostNamespaces = 32
  private static let longestNamespace = 512

  private let bytes: [UInt8]
  private var position = 0
  private var nodes = 0

  /// The root of a document.
  package static func root(of document: [UInt8]) throws(Problem) -> XMLElement {
    guard document.count <= longest else { throw Problem(description: "the document is too long") }
    guard String(validating: document, as: UTF8.self) != nil else {
      throw Problem(description: "the document is not UTF-8")
    }
    var reader = XMLReader(document)
    return try reader.document()
  }

  /// Ends of lines become single feeds first, as XML wants it.
  private init(_ document: [UInt8]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(document.count)
    for (index, byte) in document.enumerated() {
      guard byte == 0x0D else {
        bytes.append(byte)
        continue
      }
      if index + 1 == document.count || document[index + 1] != 0x0A { bytes.append(0x0A) }
    }
    self.bytes = bytes
  }

  private func problem(_ reason: String) -> Problem {
    Problem(description: "\(reason) at byte \(position)")
  }

  // MARK: The document

  private mutating func document() throws(Problem) -> XMLElement {
    _ = take("\u{FEFF}")
    if has("<?xml"), position + 5 < bytes.count, Self.isSpace(bytes[position + 5]) {
      try declaration()
    }
    try skipBetweenMarkup()
    let root = try element(in: ["xml": Self.xmlNamespace], depth: 1)
    try skipBetweenMarkup()
    guard position == bytes.count else { throw problem("something follows the root") }
    return root
  }

  private mutating func declaration() throws(Problem) {
    guard let end = find("?>") else { throw problem("the declaration has no end") }
    let text = String(decoding: bytes[position..<end], as: UTF8.self).lowercased()
    let hasOther = text.contains("encoding") && !text.contains("utf-8")
    guard !hasOther, !text.contains("standalone=\"no\""), text.utf8.count < 128 else {
      throw problem("the encoding is not UTF-8")
    }
    position = end + 2
  }

  private mutating func skipBetweenMarkup() throws(Problem) {
    while true {
      skipSpaces()
      guard has("<!--") else { return }
      try comment()
    }
  }

  private mutating func comment() throws(Problem) {
    position += 4
    guard let end = find("--"), bytes[end...].starts(with: "-->".utf8) else {
      throw problem("a comment has no end")
    }
    _ = try characters(bytes[position..<end])
    position = end + 3
  }

  // MARK: Elements

  static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
  private static let xmlnsNamespace = "http://www.w3.org/2000/xmlns/"

  private mutating func element(
    in outer: [String: String], depth: Int
  ) throws(Problem) -> XMLElement {
    guard depth <= Self.deepest else { throw problem("elements are too deep") }
    try count()
    guard take("<") else { throw problem("an element is missing") }
    let name = try qualifiedName()
    let raw = try attributes()
    let scope = try scope(of: raw, in: outer)
    guard let namespace = scope[name.prefix] ?? (name.prefix.isEmpty ? "" : nil) else {
      throw problem("the prefix \(name.prefix) has no namespace")
    }
    var element = XMLElement(
      name: XMLName(prefix: name.prefix, local: name.local, namespace: namespace),
      attributes: try resolve(raw, scope), scope: scope)
    if take("/>") { return element }
    guard take(">") else { throw problem("a start tag has no end") }
    element.children = try children(in: scope, depth: depth)
    guard take("</"), try qualifiedName() == name else { throw problem("an end tag is wrong") }
    skipSpaces()
    guard take(">") else { throw problem("an end tag has no end") }
    return element
  }

  private mutating func children(
    in scope: [String: String], depth: Int
  ) throws(Problem) -> [XMLElement.Node] {
    var children: [XMLElement.Node] = []
    var text = ""
    while true {
      guard position < bytes.count else { throw problem("an element has no end") }
      if bytes[position] != UInt8(ascii: "<") {
        text += try content()
      } else if has("<!--") {
        try comment()
      } else if take("<![CDATA[") {
        guard let end = find("]]>") else { throw problem("a CDATA section has no end") }
        text += try characters(bytes[position..<end])
        position = end + 3
      } else if has("<!") || has("<?") {
        throw problem("declarations and instructions are not taken")
      } else {
        if !text.isEmpty {
          try count()
          children.append(.text(text))
          text = ""
        }
        if has("</") { return children }
        children.append(.element(try element(in: scope, depth: depth + 1)))
      }
    }
  }

  private mutating func count() throws(Problem) {
    nodes += 1
    guard nodes <= Self.mostNodes else { throw problem("there are too many elements") }
  }

  // MARK: Attributes

  private struct Name: Equatable {
    let prefix: String
    let local: String
  }

  private typealias RawAttribute = (name: Name, value: String)

  private mutating func attributes() throws(Problem) -> [RawAttribute] {
    var found: [RawAttribute] = []
    while true {
      let hadSpace = skipSpaces()
      if has(">") || has("/>") { return found }
      guard hadSpace, found.count < Self.mostAttributes else {
        throw problem("a start tag is wrong")
      }
      let name = try qualifiedName()
      skipSpaces()
      guard take("=") else { throw problem("an attribute has no value") }
      skipSpaces()
      guard !found.contains(where: { $0.name == name }) else {
        throw problem("an attribute comes twice")
      }
      found.append((name, try value()))
    }
  }

  private func scope(
    of attributes: [RawAttribute], in outer: [String: String]
  ) throws(Problem) -> [String: String] {
    var scope = outer
    for (name, value) in attributes {
      let isDefault = name == Name(prefix: "", local: "xmlns")
      guard isDefault || name.prefix == "xmlns" else { continue }
      let reserved = [Self.xmlNamespace, Self.xmlnsNamespace]
      guard !reserved.contains(value), isDefault || !value.isEmpty,
        isDefault || !["xml", "xmlns"].contains(name.local)
      else { throw problem("a namespace is declared that cannot be") }
      guard value.utf8.count <= Self.longestNamespace else {
        throw problem("a namespace is too long")
      }
      scope[isDefault ? "" : name.local] = value
    }
    guard scope.count <= Self.mostNamespaces else { throw problem("there are too many namespaces") }
    return scope
  }

  private func resolve(
    _ attributes: [RawAttribute], _ scope: [String: String]
  ) throws(Problem) -> [XMLElement.Attribute] {
    var found: [XMLElement.Attribute] = []
    for (name, value) in attributes {
      if name.prefix == "xmlns" || name == Name(prefix: "", local: "xmlns") { continue }
      guard let namespace = name.prefix.isEmpty ? "" : scope[name.prefix] else {
        throw problem("the prefix \(name.prefix) has no namespace")
      }
      let full = XMLName(prefix: name.prefix, local: name.local, namespace: namespace)
      guard !found.contains(where: { $0.name == full }) else {
        throw problem("an attribute comes twice")
      }
      found.append(XMLElement.Attribute(name: full, value: value))
    }
    return found
  }

  // MARK: Texts

  private mutating func value() throws(Problem) -> String {
    guard position < bytes.count, [0x22, 0x27].contains(bytes[position]) else {
      throw problem("a value has no quotes")
    }
    let quote = bytes[position]
    position += 1
    guard let end = bytes[position...].firstIndex(of: quote) else {
      throw problem("a value has no end")
    }
    guard !bytes[position..<end].contains(UInt8(ascii: "<")) else {
      throw problem("a value holds a <")
    }
    // Spaces of all kinds are spaces; those that are written as references stay.
    let plain = bytes[position..<end].map { Self.isSpace($0) ? 0x20 : $0 }
    let text = try unescaped(plain[...])
    position = end + 1
    return text
  }

  /// Text up to the next mark-up.
  private mutating func content() throws(Problem) -> String {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    if find("]]>", before: end) != nil { throw problem("a text holds ]]>") }
    let text = try unescaped(bytes[position..<end])
    position = end
    return text
  }

  private func unescaped(_ part: ArraySlice<UInt8>) throws(Problem) -> String {
    var output = ""
    var rest = part
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      output += try characters(rest[..<mark])
      guard let end = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
        throw problem("a reference has no end")
      }
      output.unicodeScalars.append(
        try referenced(String(decoding: rest[(mark + 1)..<end], as: UTF8.self)))
      rest = rest[(end + 1)...]
    }
    return output + (try characters(rest))
  }

  private func referenced(_ name: String) throws(Problem) -> Unicode.Scalar {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "apos": return "'"
    case "quot": return "\""
    default: break
    }
    let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst(1)
    guard name.hasPrefix("#"), digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
      let scalar = Unicode.Scalar(number), Self.isCharacter(scalar)
    else { throw problem("the entity &\(name); is not known") }
    return scalar
  }

  private func characters(_ part: ArraySlice<UInt8>) throws(Problem) -> String {
    let text = String(decoding: part, as: UTF8.self)
    guard text.unicodeScalars.allSatisfy(Self.isCharacter) else {
      throw problem("a character is not one of XML")
    }
    return text
  }

  static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  // MARK: Names and marks

  private mutating func qualifiedName() throws(Problem) -> Name {
    let first = try simpleName()
    guard take(":") else { return Name(prefix: "", local: first) }
    return Name(prefix: first, local: try simpleName())
  }

  private mutating func simpleName() throws(Problem) -> String {
    let part = bytes[position...].prefix { Self.isOfName($0) }
    guard let first = part.first, !"-.0123456789".utf8.contains(first), part.count <= 256 else {
      throw problem("a name is wrong")
    }
    position += part.count
    return String(decoding: part, as: UTF8.self)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  @discardableResult
  private mutating func skipSpaces() -> Bool {
    let start = position
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    return position > start
  }

  private func has(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

  private mutating func take(_ mark: String) -> Bool {
    guard has(mark) else { return false }
    position += mark.utf8.count
    return true
  }

  /// Where a mark comes next, before an index.
  private func find(_ mark: String, before end: Int? = nil) -> Int? {
    let mark = Array(mark.utf8)
    let end = end ?? bytes.count
    var index = position
    while index + mark.count <= end {
      if bytes[index] == mark[0], bytes[index...].starts(with: mark) { return index }
      index += 1
    }
    return nil
  }
}
