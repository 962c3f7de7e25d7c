import HearthWire

/// A JSON document with placeholders in its texts.
indirect enum JSONTemplate: Sendable {
  case literal(JSON)
  case text(Template)
  case array([JSONTemplate])
  case object([Member])

  struct Member: Sendable {
    let name: String
    let value: JSONTemplate
  }

  init(_ value: DefinitionValue, allowed: Set<Placeholder>) throws(DefinitionFault) {
    switch value.json {
    case .null, .bool, .int, .double: self = .literal(value.json)
    case .string(let text): self = .text(try Template(value, text: text, allowed: allowed))
    case .array(let elements):
      var templates: [JSONTemplate] = []
      for (index, element) in elements.enumerated() {
        let element = DefinitionValue(json: element, pointer: "\(value.pointer)/\(index)")
        templates.append(try JSONTemplate(element, allowed: allowed))
      }
      self = .array(templates)
    case .object:
      var members: [Member] = []
      for member in try value.anyObject().members {
        let template = try JSONTemplate(member.value, allowed: allowed)
        members.append(Member(name: member.name, value: template))
      }
      self = .object(members)
    }
  }

  /// The document; nil only for a lone optional placeholder without a value.
  func filled(_ values: Values) -> JSON? {
    switch self {
    case .literal(let json): json
    case .text(let template): template.json(values)
    case .array(let elements): .array(elements.compactMap { $0.filled(values) })
    case .object(let members):
      .object(
        JSONObject(
          members: members.compactMap { member in
            member.value.filled(values).map { (key: member.name, value: $0) }
          }))
    }
  }
}
