import HearthWire

/// Texts, numbers and words, and tags before them.
extension YAMLReader {
  /// Says what a value is: `!timestamp`.
  struct Tag {
    /// The member that it stands for, such as `$timestamp`; nil where it only says that it is text.
    let name: String?
    /// Whether what follows is text, whatever it looks like.
    let isText: Bool
  }

  private static let standardTags = [
    "!!str": Tag(name: nil, isText: true), "!!binary": Tag(name: "$bytes", isText: true),
    "!!timestamp": Tag(name: "$timestamp", isText: true),
    "!!float": Tag(name: "$double", isText: false),
  ]
  private static let textTags: Set<String> = ["timestamp", "reference", "bytes"]

  mutating func tag() throws(YAMLFault) -> Tag? {
    try refuseAnchors()
    guard self.is("!") else { return nil }
    let start = place
    while !isBlank(ahead: 0), !isOne(of: ",[]{}") { advance() }
    let text = Self.trimmed(text(from: start))
    skipSpaces()
    if let known = Self.standardTags[text] { return known }
    let name = String(text.dropFirst())
    guard !name.isEmpty, name.utf8.allSatisfy(\.isASCIILowercase)
    else { throw fault("the tag \(text) is not known") }
    return Tag(name: "$" + name, isText: Self.textTags.contains(name))
  }

  private func refuseAnchors() throws(YAMLFault) {
    guard isOne(of: "&*") else { return }
    throw fault("anchors and aliases are not supported; write the value again, or in quotes")
  }

  /// What has a meaning of its own at the begin of a name.
  func refuseSigns() throws(YAMLFault) {
    try refuseAnchors()
    if self.is("!") { throw fault("a name cannot have a tag") }
    guard self.is("?"), isBlank(ahead: 1) else { return }
    throw fault("names of the form '? name' are not supported")
  }

  func wrap(_ node: YAMLNode, tag: Tag?) -> YAMLNode {
    guard let name = tag?.name else { return node }
    return YAMLNode(line: node.line, content: .map([(name, node)]))
  }

  mutating func scalar(within indent: Int, _ tag: Tag?) throws(YAMLFault) -> YAMLNode {
    let start = line
    if isOne(of: "|>") {
      return YAMLNode(line: start, content: .scalar(.string(try blockText(within: indent))))
    }
    guard isOne(of: "\"'[{") else {
      try refuseSigns()
      return try resolved(try plain(within: indent), tag: tag, line: start)
    }
    let node =
      isOne(of: "[{")
      ? try flowNode()
      : YAMLNode(line: start, content: .scalar(.string(try quoted())))
    skipSpaces()
    guard isAtEnd || self.is("\n") || (self.is("#") && isAfterBlank) else {
      throw fault("expected the end of the line")
    }
    return node
  }

  func resolved(_ text: String, tag: Tag?, line: Int) throws(YAMLFault) -> YAMLNode {
    let json = tag?.isText == true ? .string(text) : YAMLScalar.json(text)
    if case .double(let number)? = json, number.isInfinite, !text.lowercased().hasSuffix("inf") {
      throw YAMLFault(line: line, words: "the number \(text) is out of range")
    }
    return YAMLNode(line: line, content: .scalar(json ?? .string(text)))
  }

  // MARK: Without quotes

  private mutating func plain(within indent: Int) throws(YAMLFault) -> String {
    guard !isOne(of: ",]}@`%") else {
      throw fault("a string that begins with '\(Character(Unicode.Scalar(peek())))' needs quotes")
    }
    var text = try plainLine()
    while self.is("\n") {
      let before = self
      var breaks = 0
      while self.is("\n") {
        newLine()
        breaks += 1
        skipSpaces()
      }
      guard !isDone, column > indent, !self.is("#") else {
        restore(before)
        break
      }
      text += breaks == 1 ? " " : String(repeating: "\n", count: breaks - 1)
      text += try plainLine()
    }
    return text
  }

  /// Up to the end of the line, or to what ends a text between brackets.
  mutating func plainLine() throws(YAMLFault) -> String {
    let start = place
    while !isAtEnd, !self.is("\n"), !(self.is("#") && isAfterBlank) {
      if flowDepth > 0, isOne(of: ",[]{}") { break }
      if self.is(":"), isBlank(ahead: 1) || (flowDepth > 0 && isOne(of: ",[]{}", ahead: 1)) {
        guard flowDepth > 0 else {
          throw fault("a string with ': ' needs quotes, or the indentation of the line is wrong")
        }
        break
      }
      advance()
    }
    return Self.trimmed(text(from: start))
  }

  // MARK: In quotes

  mutating func quoted() throws(YAMLFault) -> String {
    self.is("'") ? try singleQuoted() : try doubleQuoted()
  }

  private mutating func singleQuoted() throws(YAMLFault) -> String {
    let start = line
    var text: [UInt8] = []
    advance()
    while true {
      guard !isAtEnd else { throw YAMLFault(line: start, words: "the quotes are not closed") }
      if self.is("'") {
        advance()
        guard self.is("'") else { return String(decoding: text, as: UTF8.self) }
      } else if self.is("\n") {
        fold(&text, keeping: 0)
        continue
      }
      text.append(peek())
      advance()
    }
  }

  private mutating func doubleQuoted() throws(YAMLFault) -> String {
    let start = line
    var text: [UInt8] = []
    /// Up to here, spaces were written as escapes.
    var kept = 0
    advance()
    while true {
      guard !isAtEnd else { throw YAMLFault(line: start, words: "the quotes are not closed") }
      if self.is("\"") {
        advance()
        return String(decoding: text, as: UTF8.self)
      } else if self.is("\n") {
        fold(&text, keeping: kept)
      } else if self.is("\\") {
        advance()
        try escape(&text)
        kept = text.count
      } else {
        text.append(peek())
        advance()
      }
    }
  }

  /// The end of a line is a space, empty lines are ends of lines.
  private mutating func fold(_ text: inout [UInt8], keeping kept: Int) {
    while text.count > kept, let last = text.last, [0x20, 0x09].contains(last) {
      text.removeLast()
    }
    var breaks = 0
    while self.is("\n") {
      newLine()
      skipSpaces()
      breaks += 1
    }
    text += breaks == 1 ? [0x20] : [UInt8](repeating: 0x0A, count: breaks - 1)
  }
}
