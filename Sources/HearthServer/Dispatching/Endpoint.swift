import HearthAppCheck
import HearthOperations
import HearthWire

/// A row of the route table with what answers it. It never changes. A class for the sake of speed,
/// as the row is.
final class Endpoint: RouteRow {
  enum Handler: Sendable {
    /// One or more transactions.
    case operation(any Operation.Type)
    /// What the server knows itself, such as keys, clocks and faults.
    case server(any ServerOperation.Type)
    /// The same method that gRPC calls, with a message made of path, query and body.
    case firestore(RestMethod)
    /// Answered with 501 until it is built.
    case unimplemented
  }

  let route: Route
  let handler: Handler
  /// Whether browsers send their credentials along, as they do to all that has documents.
  let sendsCredentials: Bool
  let isOfAppCheck: Bool
  /// Whether App Check protects it, of the operations of Auth.
  let isProtected: Bool

  var method: String { route.method }
  var template: PathTemplate { route.template }

  init(_ route: Route, handler: Handler) {
    self.route = route
    self.handler = handler
    isOfAppCheck = AppCheckRoutes.covers(route.template.description)
    isProtected = Admission.protects(route)
    sendsCredentials = route.template.segments.contains { $0 == .literal("databases") }
  }

  /// A row of another room.
  convenience init(_ route: Route) {
    let handler: Handler =
      switch route.action {
      case .operation(let operation): .operation(operation)
      case .served(.openAPI): .server(GetOpenAPI.self)
      case .served(.certificates): .server(GetCertificates.self)
      case .served(.sessionCookieKeys): .server(GetSessionCookieKeys.self)
      case .server, .unimplemented: .unimplemented
      }
    self.init(route, handler: handler)
  }
}
