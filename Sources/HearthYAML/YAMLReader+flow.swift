import HearthWire

/// Values between brackets, as in JSON.
extension YAMLReader {
  mutating func flowNode() throws(YAMLFault) -> YAMLNode {
    try nested { (reader) throws(YAMLFault) in try reader.anyFlowNode() }
  }

  private mutating func anyFlowNode() throws(YAMLFault) -> YAMLNode {
    let tag = try tag()
    let start = line
    if self.is("[") { return wrap(try flowList(), tag: tag) }
    if self.is("{") { return wrap(try flowMap(), tag: tag) }
    if isOne(of: "\"'") {
      return wrap(YAMLNode(line: start, content: .scalar(.string(try quoted()))), tag: tag)
    }
    return wrap(try resolved(try flowPlain(), tag: tag, line: start), tag: tag)
  }

  private mutating func flowPlain() throws(YAMLFault) -> String {
    try refuseSigns()
    var text = try plainLine()
    guard !text.isEmpty else { throw fault("expected a value") }
    try skipBlank()
    while !isAtEnd, !isOne(of: ",[]{}:") {
      text += " " + (try plainLine())
      try skipBlank()
    }
    return text
  }

  private mutating func flowList() throws(YAMLFault) -> YAMLNode {
    var elements: [YAMLNode] = []
    let start = line
    open()
    while try !closes("]", of: "[", from: start) {
      elements.append(try flowNode())
      try separate("]")
    }
    return YAMLNode(line: start, content: .list(elements))
  }

  private mutating func flowMap() throws(YAMLFault) -> YAMLNode {
    var members: [(name: String, node: YAMLNode)] = []
    var names: Set<String> = []
    let start = line
    open()
    while try !closes("}", of: "{", from: start) {
      try refuseSigns()
      let name = isOne(of: "\"'") ? try quoted() : try flowPlain()
      guard names.insert(name).inserted else { throw fault("'\(name)' appears twice") }
      try skipBlank()
      members.append((name, try memberValue()))
      try separate("}")
    }
    return YAMLNode(line: start, content: .map(members))
  }

  private mutating func memberValue() throws(YAMLFault) -> YAMLNode {
    if self.is(":") {
      advance()
      try skipBlank()
      if !isOne(of: ",}") { return try flowNode() }
    }
    return YAMLNode(line: line, content: .scalar(.null))
  }

  private mutating func open() {
    flowDepth += 1
    advance()
  }

  private mutating func closes(
    _ end: Unicode.Scalar, of begin: Character, from start: Int
  ) throws(YAMLFault) -> Bool {
    try skipBlank()
    guard !isAtEnd else { throw YAMLFault(line: start, words: "'\(begin)' is not closed") }
    guard self.is(end) else { return false }
    advance()
    flowDepth -= 1
    return true
  }

  private mutating func separate(_ end: Unicode.Scalar) throws(YAMLFault) {
    try skipBlank()
    if self.is(",") { return advance() }
    guard self.is(end) || isAtEnd else { throw fault("expected ',' or '\(end)'") }
  }
}
