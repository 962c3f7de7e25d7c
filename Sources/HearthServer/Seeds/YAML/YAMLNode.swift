import HearthWire

/// A value of a YAML or JSON text, and the line that it begins on.
struct YAMLNode: Sendable {
  enum Content: Sendable {
    case scalar(JSON)
    case list([YAMLNode])
    case map([(name: String, node: YAMLNode)])
  }

  var line: Int
  let content: Content

  var json: JSON {
    switch content {
    case .scalar(let json): json
    case .list(let elements): .array(elements.map(\.json))
    case .map(let members):
      .object(JSONObject(members: members.map { (key: $0.name, value: $0.node.json) }))
    }
  }
}

/// Why a text is not what ``YAMLReader`` reads.
struct YAMLFault: Error {
  let line: Int
  let words: String
}
