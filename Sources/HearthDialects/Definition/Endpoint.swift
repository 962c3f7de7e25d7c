package import HearthWire

/// One path of a back end, and what happens there.
package struct Endpoint: RouteRow {
  package let procedure: Procedure
  package let method: String
  package let template: PathTemplate
  /// The kinds of client that it serves; empty for all.
  let clients: [String]
  let fields: [Field: FieldSource]
  let replies: [Outcome: Reply]
  /// The name of the message that it sends.
  let sends: String?
  /// Whether an address without an account gets the same reply as one that has one.
  let hidesUnknown: Bool
  /// Whether a new password ends the account's sessions.
  let endsSessions: Bool

  static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  func serves(_ client: String) -> Bool { clients.isEmpty || clients.contains(client) }

  /// Whether some request could be meant for both.
  func collides(with other: Endpoint) -> Bool {
    method == other.method && template.description == other.template.description
      && (clients.isEmpty || other.clients.isEmpty || clients.contains(where: other.serves))
  }
}
