package import HearthWire

/// A value of a YAML or JSON text, and the line that it begins on.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    case scalar(JSON)
    case list([YAMLNode])
    case map([(name: String, node: YAMLNode)])
  }

  package var line: Int
  package let content: Content

  package init(line: Int, content: Content) {
    self.line = line
    self.content = content
  }

  /// JSON that begins at a line.
  package init(json: JSON, line: Int) {
    self.line = line
    switch json {
    case .array(let elements): content = .list(elements.map { Self(json: $0, line: line) })
    case .object(let object):
      content = .map(object.members.map { ($0.key, Self(json: $0.value, line: line)) })
    default: content = .scalar(json)
    }
  }

  package var json: JSON {
    switch content {
    case .scalar(let json): json
    case .list(let elements): .array(elements.map(\.json))
    case .map(let members):
      .object(JSONObject(members: members.map { (key: $0.name, value: $0.node.json) }))
    }
  }
}

/// Why a text is not what ``YAMLReader`` reads.
package struct YAMLFault: Error {
  package let line: Int
  package let words: String

  package init(line: Int, words: String) {
    self.line = line
    self.words = words
  }
}
