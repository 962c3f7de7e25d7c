import HearthWire

/// One argument that a tool takes.
struct Parameter: Sendable {
  enum Kind: Sendable {
    case string, boolean, object, list, any
    case number
    case whole(ClosedRange<Int64>)
    case choice([String])
  }

  let name: String
  let kind: Kind
  let text: String
  let isRequired: Bool

  init(_ name: String, kind: Kind, text: String, isRequired: Bool = false) {
    self.name = name
    self.kind = kind
    self.text = text
    self.isRequired = isRequired
  }

  /// What every tool takes.
  static let project = Parameter(
    "project", kind: .string, text: "Id of the project (default: the server's default project).")

  var schema: JSON {
    var object = JSONObject()
    switch kind {
    case .string: object.append("type", value: "string")
    case .boolean: object.append("type", value: "boolean")
    case .object: object.append("type", value: "object")
    case .list: object.append("type", value: "array")
    case .any: break
    case .number: object.append("type", value: "number")
    case .whole(let range):
      object.append("type", value: "integer")
      object.append("minimum", value: .int(range.lowerBound))
      object.append("maximum", value: .int(range.upperBound))
    case .choice(let values):
      object.append("type", value: "string")
      object.append("enum", value: .strings(values))
    }
    object.append("description", value: .string(text))
    return .object(object)
  }

  /// What is wrong with a value; nil if nothing is.
  func fault(of value: JSON) -> String? {
    switch (kind, value) {
    case (.string, .string), (.boolean, .bool), (.object, .object), (.list, .array), (.any, _),
      (.number, .int), (.number, .double):
      return nil
    case (.whole(let range), .int(let number)):
      return range.contains(number)
        ? nil : "must be from \(range.lowerBound) to \(range.upperBound)"
    case (.choice(let values), .string(let text)):
      return values.contains(text) ? nil : "must be one of \(values.joined(separator: ", "))"
    case (.string, _): return "must be a string"
    case (.boolean, _): return "must be true or false"
    case (.object, _): return "must be an object"
    case (.list, _): return "must be an array"
    case (.number, _): return "must be a number"
    case (.whole, _): return "must be a whole number"
    case (.choice(let values), _): return "must be one of \(values.joined(separator: ", "))"
    }
  }
}
