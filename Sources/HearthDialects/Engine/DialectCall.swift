import HearthTime
import HearthWire

/// A request and what it was found to call.
package struct DialectCall: Sendable {
  let definition: DialectDefinition
  let request: DialectRequest
  let client: String
  let match: RouteTable<Endpoint>.Match
  let language: String
  /// Nil when the request has a body that cannot be read.
  let body: JSONObject?

  init(
    definition: DialectDefinition, request: DialectRequest, client: String,
    match: RouteTable<Endpoint>.Match
  ) {
    self.definition = definition
    self.request = request
    self.client = client
    self.match = match
    body = request.bodyMembers
    let wish = Self.value(
      of: definition.languages.source, request: request, body: body, variables: match.variables)
    language = definition.languages.best(for: wish)
  }

  /// `dialect.NAME.requestReset`, for the log and for fault rules.
  package var operation: String {
    guard case .found(let endpoint, _) = match else { return "dialect.\(definition.name).unknown" }
    return "dialect.\(definition.name).\(endpoint.procedure.rawValue)"
  }

  /// The address that the request names, for fault rules.
  package var email: String? { self[.email].flatMap(ContactSyntax.email) }

  /// The field's value; nil when it is missing or empty.
  subscript(field: Field) -> String? {
    guard case .found(let endpoint, _) = match, let source = endpoint.fields[field] else {
      return nil
    }
    return value(of: source)
  }

  func value(of source: FieldSource) -> String? {
    Self.value(of: source, request: request, body: body, variables: match.variables)
  }

  func commonValues(_ now: Timestamp) -> Values {
    var values = Values()
    values[.app] = .string(definition.title)
    values[.language] = .string(language)
    values[.now] = .string(now.iso8601)
    return values
  }

  private static func value(
    of source: FieldSource, request: DialectRequest, body: JSONObject?,
    variables: [String: String]
  ) -> String? {
    switch source.place {
    case .query: return request.query[source.name].nonEmpty
    case .path: return variables[source.name].nonEmpty
    case .header: return request.header(source.name).nonEmpty
    case .body:
      // A form has no depth: there `user.email` is a name like any other.
      if let value = body?[source.name] { return text(of: value) }
      var value: JSON? = body.map(JSON.object)
      for name in source.name.split(separator: ".") { value = value?[String(name)] }
      return value.flatMap(text)
    }
  }

  /// Codes of digits are sometimes sent as numbers.
  private static func text(of value: JSON) -> String? {
    switch value {
    case .string(let text): text.isEmpty ? nil : text
    case .int(let number): String(number)
    case .null, .bool, .double, .array, .object: nil
    }
  }
}

extension RouteTable<Endpoint>.Match {
  var variables: [String: String] {
    if case .found(_, let variables) = self { variables } else { [:] }
  }
}
