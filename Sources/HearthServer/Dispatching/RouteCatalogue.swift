import HearthAppCheck
import HearthAuthControl
import HearthIdentityProviders
import HearthIdentityToolkit
import HearthMailbox
package import HearthOperations
import HearthPush
import HearthWire

/// The tables of routes.
package enum RouteCatalogue {
  /// Of every port but the hub's.
  package static let all: [Route] = endpoints.map(\.route)

  static let endpoints: [Endpoint] =
    Routes.all.map(Endpoint.init) + AuthControlRoutes.all.map(Endpoint.init)
    + MailboxRoutes.all.map(Endpoint.init) + ControlRoutes.ofServer
    + ControlRoutes.all + ControlRoutes.ofEvents + ControlRoutes.ofConsole + ControlRoutes.ofIndexes
    + ControlRoutes.ofAgents + FirestoreRoutes.all + GoogleRoutes.all
    + PushRoutes.all.map(Endpoint.init)
    + ProviderRoutes.all.map(Endpoint.init)
    + AppCheckRoutes.all.map(Endpoint.init)

  /// Of the hub's port.
  package static let ofHub: [Route] = HubRoutes.all.map(\.route)
}

extension Endpoint {
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
