/// Writes rows that share a host and a version, and the beginning of their ids and messages.
///
/// A row then takes a line: `v1.post("accounts:signUp", SignUp.self, takes: "SignUpRequest")`.
package struct RouteRows: Sendable {
  private let path: String
  private let id: String
  private let messages: String
  private let credential: Route.Credential
  private let switches: [any Switches.Toggle]

  /// - Parameters:
  ///   - path: What the paths begin with.
  ///   - id: What the operation ids begin with.
  ///   - messages: What the names of the messages begin with.
  ///   - credential: What all of them ask for.
  ///   - switches: What changes every one of the operations.
  package init(
    _ path: String, id: String, messages: String = "",
    credential: Route.Credential = .bearerOrKey, switches: [any Switches.Toggle] = []
  ) {
    self.path = path
    self.id = id
    self.messages = messages
    self.credential = credential
    self.switches = switches
  }

  /// The rows below a longer path.
  package func below(_ path: String, id: String) -> RouteRows {
    RouteRows(
      self.path + path, id: self.id + id, messages: messages, credential: credential,
      switches: switches)
  }

  package func with(_ credential: Route.Credential) -> RouteRows {
    RouteRows(path, id: id, messages: messages, credential: credential, switches: switches)
  }

  package func with(messages: String) -> RouteRows {
    RouteRows(path, id: id, messages: messages, credential: credential, switches: switches)
  }

  package func with(_ switches: any Switches.Toggle...) -> RouteRows {
    RouteRows(
      path, id: id, messages: messages, credential: credential, switches: self.switches + switches)
  }

  /// A row of the table. Without an id of its own it has that of the path, with dots.
  package func row(
    _ method: String, path: String, action: Route.Action, id: String? = nil,
    body: Route.Body = .none, bodyBound: Route.BodyBound = .ordinary,
    query: [Route.QueryParameter] = [], differs: [String] = [],
    switches: [any Switches.Toggle] = []
  ) -> Route {
    let name = id ?? String(path.map { $0 == ":" || $0 == "/" ? "." : $0 })
    return Route(
      method, template: self.path + path, id: self.id + name, credential: credential, body: body,
      bodyBound: bodyBound,
      query: query, action: action,
      differs: differs, switches: self.switches + switches)
  }

  package func get(
    _ path: String, operation: any Operation.Type, id: String? = nil,
    query: [Route.QueryParameter] = [], differs: String..., switches: [any Switches.Toggle] = []
  ) -> Route {
    row(
      "GET", path: path, action: .operation(operation), id: id, query: query, differs: differs,
      switches: switches)
  }

  package func delete(
    _ path: String, operation: any Operation.Type, id: String? = nil,
    query: [Route.QueryParameter] = [], differs: String..., switches: [any Switches.Toggle] = []
  ) -> Route {
    row(
      "DELETE", path: path, action: .operation(operation), id: id, query: query, differs: differs,
      switches: switches)
  }

  package func post(
    _ path: String, operation: any Operation.Type, takes message: String, id: String? = nil,
    bodyBound: Route.BodyBound = .ordinary, query: [Route.QueryParameter] = [], differs: String...,
    switches: [any Switches.Toggle] = []
  ) -> Route {
    row(
      "POST", path: path, action: .operation(operation), id: id,
      body: .json(message: messages + message),
      bodyBound: bodyBound, query: query, differs: differs, switches: switches)
  }

  package func patch(
    _ path: String, operation: any Operation.Type, takes message: String, id: String? = nil,
    query: [Route.QueryParameter] = [], differs: String..., switches: [any Switches.Toggle] = []
  ) -> Route {
    row(
      "PATCH", path: path, action: .operation(operation), id: id,
      body: .json(message: messages + message),
      query: query, differs: differs, switches: switches)
  }
}

/// A name alone is text.
extension Route.QueryParameter: ExpressibleByStringLiteral {
  package init(stringLiteral name: String) { self.init(name) }

  package static func integer(_ name: String) -> Self { Self(name, kind: .integer) }
  package static func boolean(_ name: String) -> Self { Self(name, kind: .boolean) }
}
