import HearthControl
import HearthOperations
import HearthTransport
import HearthWire

/// A row of the route table with what answers it. It never changes. A class for the sake of speed,
/// as the row is.
final class Endpoint: RouteRow {
  /// Operations of Auth that App Check protects.
  private static let protected: Set<String> = Set(
    [
      "createAuthUri", "sendVerificationCode", "signInWithCustomToken", "signInWithEmailLink",
      "signInWithIdp", "signInWithPassword", "signInWithPhoneNumber", "signUp", "delete", "lookup",
      "sendOobCode", "resetPassword", "update",
    ].map { "identitytoolkit.accounts.\($0)" })

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
  /// Whether App Check protects it, of the operations of Auth.
  let isProtected: Bool

  var method: String { route.method }
  var template: PathTemplate { route.template }

  init(_ route: Route, handler: Handler) {
    self.route = route
    self.handler = handler
    isProtected = Self.protected.contains(route.id)
    sendsCredentials = route.template.segments.contains { $0 == .literal("databases") }
  }

  /// How its refusals are written.
  func envelope(_ answers: Switches.Program) -> ErrorEnvelope {
    if case .firestore = handler { return .firestore }
    return ErrorEnvelope(route.api, answers: answers)
  }
}
