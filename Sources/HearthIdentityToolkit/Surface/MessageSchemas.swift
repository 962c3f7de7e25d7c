package import HearthErrors
package import HearthWire

/// The messages of an API description, and what makes a body one of them.
///
/// Requests are normalised (lower camel case), repaired where clients are known to be loose (a
/// number for a string, an index for an enum value) and checked, before an operation sees them.
package struct MessageSchemas: Sendable {
  /// What a field holds. Formats such as byte are strings on the wire and not checked.
  indirect enum Kind: Sendable {
    case string, boolean, integer, number
    /// Text on the wire, of which the digits are not checked. A number in its place has to be whole.
    case int64
    case object
    case enumeration([String])
    case message(String)
    case inline([String: Kind])
    case list(Kind)
    case map(Kind)
  }

  let messages: [String: [String: Kind]]
  /// The names of all fields of all messages.
  let allFields: Set<String>

  /// Reads the `schemas` member of a surface description.
  package init(surface: JSON) {
    var messages: [String: [String: Kind]] = [:]
    for (name, fields) in surface.object?.members ?? [] {
      messages[name] = Self.fields(fields)
    }
    self.messages = messages
    allFields = Set(messages.values.flatMap(\.keys)).union(["returnSecureToken"])
  }

  private static func fields(_ json: JSON) -> [String: Kind] {
    var fields: [String: Kind] = [:]
    for (name, kind) in json.object?.members ?? [] { fields[CamelCase.convert(name)] = Kind(kind) }
    return fields
  }

  /// The body as the operation will see it.
  ///
  /// - Throws: `Invalid JSON payload received.` with a JSON pointer to the first violation.
  package func accept(_ body: JSON, as message: String?) throws(APIError) -> JSONObject {
    guard case .object(let object) = body else {
      throw Self.violation("", rule: "must be object")
    }
    let fields = message.flatMap { messages[$0] } ?? [:]
    return try accept(object, fields: fields, at: "")
  }

  private func accept(
    _ object: JSONObject, fields: [String: Kind], at pointer: String
  ) throws(APIError) -> JSONObject {
    var accepted = JSONObject()
    for (rawKey, value) in object.members {
      let key = CamelCase.convert(rawKey)
      accepted.append(key, value: try accept(value, kind: fields[key], at: pointer + "/" + key))
    }
    return accepted
  }

  private func accept(
    _ value: JSON, kind: Kind?, at pointer: String
  ) throws(APIError) -> JSON {
    switch (kind, value) {
    case (nil, .object(let object)): return .object(try accept(object, fields: [:], at: pointer))
    case (nil, .array(let elements)): return .array(try accept(elements, kind: nil, at: pointer))
    case (nil, _): return value
    case (.string, .string), (.boolean, .bool), (.number, .int), (.number, .double): return value
    case (.string, .int(let number)): return .string(String(number))
    case (.string, .double(let number)): return .string(JavaScriptNumber.text(number))
    case (.int64, .string): return value
    case (.int64, .int(let number)): return .string(String(number))
    case (.int64, .double(let number)):
      guard number.rounded() == number else {
        throw Self.violation(pointer, rule: #"must match format "int64""#)
      }
      return .string(JavaScriptNumber.text(number))
    case (.string, _), (.int64, _): throw Self.violation(pointer, rule: "must be string")
    case (.boolean, _): throw Self.violation(pointer, rule: "must be boolean")
    case (.integer, _):
      switch value {
      case .int: return value
      case .double(let number):
        if let whole = Int64(exactly: number) { return .int(whole) }
        throw Self.violation(pointer, rule: "must be integer")
      default: throw Self.violation(pointer, rule: "must be integer")
      }
    case (.number, _): throw Self.violation(pointer, rule: "must be number")
    case (.enumeration(let names), _):
      switch value {
      case .null, .bool, .array, .object: throw Self.violation(pointer, rule: "must be string")
      case .string, .int, .double: break
      }
      guard let name = Self.name(value, among: names) else {
        throw Self.violation(pointer, rule: "must be equal to one of the allowed values")
      }
      return .string(name)
    case (.object, .object(let object)):
      return .object(try accept(object, fields: [:], at: pointer))
    case (.message(let name), .object(let object)):
      return .object(try accept(object, fields: messages[name] ?? [:], at: pointer))
    case (.inline(let fields), .object(let object)):
      return .object(try accept(object, fields: fields, at: pointer))
    case (.map(let kind), .object(let object)):
      return .object(try acceptMap(object, kind: kind, at: pointer))
    case (.object, _), (.message, _), (.inline, _), (.map, _):
      throw Self.violation(pointer, rule: "must be object")
    case (.list(let kind), .array(let elements)):
      return .array(try accept(elements, kind: kind, at: pointer))
    case (.list, _): throw Self.violation(pointer, rule: "must be array")
    }
  }

  private func accept(
    _ elements: [JSON], kind: Kind?, at pointer: String
  ) throws(APIError) -> [JSON] {
    var accepted: [JSON] = []
    accepted.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      accepted.append(try accept(element, kind: kind, at: pointer + "/" + String(index)))
    }
    return accepted
  }

  /// A map's keys are data: a test phone number must keep its `+`.
  private func acceptMap(
    _ object: JSONObject, kind: Kind, at pointer: String
  ) throws(APIError) -> JSONObject {
    var accepted = JSONObject()
    for (key, value) in object.members {
      accepted.append(key, value: try accept(value, kind: kind, at: pointer + "/" + key))
    }
    return accepted
  }

  static func name(_ value: JSON, among names: [String]) -> String? {
    switch value {
    case .string(let text):
      if names.contains(text) { return text }
      // Digits as they are printed: no sign, no zero in front.
      return Int64(text).flatMap { String($0) == text ? self.name($0, among: names) : nil }
    case .int(let index): return self.name(index, among: names)
    case .double(let number): return Int64(exactly: number).flatMap { self.name($0, among: names) }
    case .null, .bool, .array, .object: return nil
    }
  }

  private static func name(_ index: Int64, among names: [String]) -> String? {
    names.indices.contains(Int(index)) ? names[Int(index)] : nil
  }

  package static func violation(_ pointer: String, rule: String) -> APIError {
    APIError(.invalidPayload, message: "Invalid JSON payload received. \(pointer) \(rule)")
  }
}

extension MessageSchemas.Kind {
  fileprivate init(_ json: JSON) {
    switch json {
    case .array(let elements): self = .list(elements.first.map { Self($0) } ?? .object)
    case .object(let object):
      if let names = object["enum"]?.array {
        self = .enumeration(names.compactMap(\.string))
      } else if let values = object["map"] {
        self = .map(Self(values))
      } else {
        self = .inline(
          Dictionary(uniqueKeysWithValues: object.members.map { ($0.key, Self($0.value)) }))
      }
    case .string(let name):
      switch name.prefix(while: { $0 != ":" }) {
      case "string" where name.hasSuffix(":int64"): self = .int64
      case "string": self = .string
      case "boolean": self = .boolean
      case "integer": self = .integer
      case "number": self = .number
      case "object": self = .object
      default: self = .message(name)
      }
    case .null, .bool, .int, .double: self = .object
    }
  }
}
