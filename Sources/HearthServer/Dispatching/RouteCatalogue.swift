import HearthIdentityToolkit
import HearthMailbox
package import HearthOperations
import HearthWire

/// The whole table of routes.
package enum RouteCatalogue {
  package static let all: [Route] = endpoints.map(\.route)

  static let endpoints: [Endpoint] =
    Routes.all.map(Endpoint.init) + MailboxRoutes.all.map(Endpoint.init) + ControlRoutes.ofServer
    + ControlRoutes.all + ControlRoutes.ofEvents + ControlRoutes.ofConsole + FirestoreRoutes.all
}
