import HearthWire

/// A text with `{placeholders}`. `{{` and `}}` stand for a brace.
struct Template: Sendable, Equatable {
  enum Part: Sendable, Equatable {
    case text(String)
    case placeholder(Placeholder, isOptional: Bool)
  }

  let parts: [Part]

  init(_ value: DefinitionValue, allowed: Set<Placeholder>) throws(DefinitionFault) {
    self = try Template(value, text: try value.string(), allowed: allowed)
  }

  init(
    _ value: DefinitionValue, text: String, allowed: Set<Placeholder>
  ) throws(DefinitionFault) {
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        literal.append(character)
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw value.fault("has a \"{\" without its \"}\"; a brace itself is written \"{{\"")
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        parts.append(try Self.placeholder(rest[..<end], value: value, allowed: allowed))
        rest = rest[rest.index(after: end)...]
      case "}":
        throw value.fault("has a \"}\" without its \"{\"; a brace itself is written \"}}\"")
      default: literal.append(character)
      }
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  private static func placeholder(
    _ name: Substring, value: DefinitionValue, allowed: Set<Placeholder>
  ) throws(DefinitionFault) -> Part {
    let isOptional = name.last == "?"
    let bare = isOptional ? name.dropLast() : name
    guard let placeholder = Placeholder(rawValue: String(bare)), allowed.contains(placeholder)
    else {
      let names = allowed.map { "{\($0.rawValue)}" }.sorted().joined(separator: ", ")
      throw value.fault("{\(name)} has no value here; known are \(names)")
    }
    return .placeholder(placeholder, isOptional: isOptional)
  }

  func uses(_ placeholder: Placeholder) -> Bool {
    parts.contains { if case .placeholder(placeholder, _) = $0 { true } else { false } }
  }

  /// The text. What is filled in goes through `escape`; what has no value leaves nothing.
  func text(_ values: Values, escape: (String) -> String = { $0 }) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let name, _): values[name].map { escape(Self.text(of: $0)) } ?? ""
      }
    }.joined()
  }

  /// The text as a JSON value: a lone placeholder keeps the kind of its value, and gives nothing at
  /// all when it is optional and has none.
  func json(_ values: Values) -> JSON? {
    guard parts.count == 1, case .placeholder(let name, let isOptional)? = parts.first else {
      return .string(text(values))
    }
    return values[name] ?? (isOptional ? nil : .null)
  }

  private static func text(of value: JSON) -> String { value.string ?? value.text }
}

/// What the placeholders stand for in one answer.
struct Values: Sendable {
  private var values: [Placeholder: JSON] = [:]

  init() {}

  subscript(name: Placeholder) -> JSON? {
    get { values[name] }
    set { values[name] = newValue }
  }

  mutating func merge(_ other: Values) { values.merge(other.values) { _, new in new } }
}
