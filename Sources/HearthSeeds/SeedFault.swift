package import HearthWire
package import HearthYAML

/// A mistake in a seed, by its line and by where it is in the tree.
package struct SeedFault: Error {
  package let line: Int
  package let path: [String]
  package let words: String

  package var pointer: String { "/" + path.joined(separator: "/") }
}

/// A value of a seed that knows where it is.
package struct SeedNode {
  package let value: YAMLNode
  package let path: [String]

  package init(value: YAMLNode, path: [String]) {
    self.value = value
    self.path = path
  }

  package var json: JSON { value.json }

  package func fault(_ words: String) -> SeedFault {
    SeedFault(line: value.line, path: path, words: words)
  }

  /// A fault at what a pointer names, such as `/0/operation`, or as near to it as there is a value.
  package func fault(_ words: String, at pointer: Substring) -> SeedFault {
    var node = self
    for name in pointer.split(separator: "/") {
      guard let next = node.child(String(name)) else { break }
      node = next
    }
    return node.fault(words)
  }

  private func child(_ name: String) -> SeedNode? {
    let child: YAMLNode? =
      switch value.content {
      case .scalar: nil
      case .list(let elements):
        Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      case .map(let members): members.first { $0.name == name }?.node
      }
    return child.map { SeedNode(value: $0, path: path + [name]) }
  }

  /// The members of an object; those that are not in the list are mistakes, where there is one.
  package func members(_ known: [String]? = nil) throws(SeedFault) -> [(
    name: String, node: SeedNode
  )] {
    guard case .map(let members) = value.content else { throw fault("must be an object") }
    return try members.map { (member) throws(SeedFault) in
      let node = SeedNode(value: member.node, path: path + [member.name])
      if let known, !known.contains(member.name) {
        throw node.fault("is unknown; known are \(known.joined(separator: ", "))")
      }
      return (member.name, node)
    }
  }

  package func elements() throws(SeedFault) -> [SeedNode] {
    guard case .list(let elements) = value.content else { throw fault("must be an array") }
    return elements.enumerated().map {
      SeedNode(value: $0.element, path: path + [String($0.offset)])
    }
  }

  package func text() throws(SeedFault) -> String {
    switch json {
    case .string(let text): return text
    case .bool, .int, .double: throw fault("must be a string, in quotes")
    case .null, .array, .object: throw fault("must be a string")
    }
  }

  func someText() throws(SeedFault) -> String {
    let text = try text()
    guard !text.isEmpty else { throw fault("must not be empty") }
    return text
  }

  package func flag() throws(SeedFault) -> Bool {
    guard let flag = json.bool else { throw fault("must be true or false") }
    return flag
  }
}
