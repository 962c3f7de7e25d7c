import HearthWire

/// Values that lines and indentation tell apart.
extension YAMLReader {
  /// What follows a name, a dash, or the begin of the document. Lines of it are indented by more
  /// than `indent`.
  mutating func blockNode(
    within indent: Int, isAfterName: Bool
  ) throws(YAMLFault) -> YAMLNode {
    try nested { (reader) throws(YAMLFault) in
      try reader.anyBlockNode(within: indent, isAfterName: isAfterName)
    }
  }

  private mutating func anyBlockNode(
    within indent: Int, isAfterName: Bool
  ) throws(YAMLFault) -> YAMLNode {
    skipSpaces()
    let start = line
    var tag = try tag()
    try skipBlank()
    let isHere = line == start
    let isInside = column > indent || (isAfterName && column == indent && isDash)
    guard !isDone, isHere || isInside else {
      return wrap(YAMLNode(line: start, content: .scalar(.null)), tag: tag)
    }
    if tag == nil { tag = try self.tag() }
    if !isHere || !isAfterName {
      let column = column
      if isDash { return wrap(try list(at: column), tag: tag) }
      if isName { return wrap(try map(at: column), tag: tag) }
    } else if isDash {
      throw fault("a list begins on a line of its own")
    }
    return wrap(try scalar(within: indent, tag), tag: tag)
  }

  /// A dash that begins an element of a list.
  private var isDash: Bool { self.is("-") && isBlank(ahead: 1) }

  private mutating func list(at indent: Int) throws(YAMLFault) -> YAMLNode {
    var elements: [YAMLNode] = []
    let start = line
    repeat {
      advance()
      elements.append(try blockNode(within: indent, isAfterName: false))
      try skipBlank()
    } while try goesOn(at: indent) && isDash
    return YAMLNode(line: start, content: .list(elements))
  }

  private mutating func map(at indent: Int) throws(YAMLFault) -> YAMLNode {
    var members: [(name: String, node: YAMLNode)] = []
    var names: Set<String> = []
    let start = line
    repeat {
      guard isName else { throw fault("expected a name and ':'") }
      let here = line
      let name = try name()
      guard names.insert(name).inserted else { throw fault("'\(name)' appears twice") }
      var node = try blockNode(within: indent, isAfterName: true)
      node.line = here
      members.append((name, node))
      try skipBlank()
    } while try goesOn(at: indent)
    return YAMLNode(line: start, content: .map(members))
  }

  /// Whether the next line belongs to the same list or map.
  private func goesOn(at indent: Int) throws(YAMLFault) -> Bool {
    guard !isDone, column >= indent else { return false }
    guard column == indent else {
      throw fault("is indented by \(column), but the lines above it by \(indent)")
    }
    return true
  }

  // MARK: Names

  /// Whether a name and a colon follow on this line.
  private var isName: Bool {
    var ahead = self
    if isOne(of: "\"'") {
      guard (try? ahead.quoted()) != nil, ahead.line == line else { return false }
      ahead.skipSpaces()
      return ahead.is(":") && ahead.isBlank(ahead: 1)
    }
    guard !isOne(of: "[]{},#|>@`%") else { return false }
    while !ahead.isAtEnd, !ahead.is("\n") {
      if ahead.is(":"), ahead.isBlank(ahead: 1) { return true }
      if ahead.is("#"), ahead.isAfterBlank { return false }
      ahead.advance()
    }
    return false
  }

  private mutating func name() throws(YAMLFault) -> String {
    try refuseSigns()
    let name: String
    if isOne(of: "\"'") {
      name = try quoted()
      skipSpaces()
    } else {
      let start = place
      while !(self.is(":") && isBlank(ahead: 1)) { advance() }
      name = Self.trimmed(text(from: start))
    }
    guard name != "<<" else { throw fault("'<<' is not supported; write the members again") }
    advance()
    return name
  }

  static func trimmed(_ text: ArraySlice<UInt8>) -> String {
    var text = text
    while let last = text.last, [0x20, 0x09].contains(last) { text = text.dropLast() }
    return String(decoding: text, as: UTF8.self)
  }
}
