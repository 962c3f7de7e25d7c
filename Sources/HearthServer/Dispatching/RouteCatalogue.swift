import HearthAppCheck
import HearthAuthControl
import HearthControl
import HearthGoogle
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
    + MailboxRoutes.all.map(Endpoint.init)
    + ControlRoutes.all.map(Endpoint.init)
    + FirestoreRoutes.all
    + GoogleRoutes.all.map(Endpoint.init)
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

  /// A row that the server answers itself.
  convenience init(_ row: ServerRoute) {
    self.init(row.route, handler: .server(row.operation))
  }
}
