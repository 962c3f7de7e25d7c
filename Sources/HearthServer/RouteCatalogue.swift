import HearthIdentityToolkit
import HearthMailbox
package import HearthOperations
import HearthWire

/// The rows that the server answers itself, and the whole table.
package enum RouteCatalogue {
  package static let all: [Route] =
    Routes.all + MailboxRoutes.all + served + ControlRoutes.all + FirestoreRoutes.all

  private static let account = "securetoken@system.gserviceaccount.com"

  /// Keys stand at the addresses that libraries know, below the host name and without it.
  private static let served: [Route] = [
    Route("GET", "/", "emulator.ready", .open, .served(.ready)),
    Route(
      "GET", "/www.googleapis.com/service_accounts/v1/jwk/\(account)", "keys.jwks", .open,
      .served(.jwks)),
    Route(
      "GET", "/www.googleapis.com/robot/v1/metadata/x509/\(account)", "keys.certificates", .open,
      .served(.certificates)),
    Route("GET", "/.well-known/jwks.json", "keys.jwks", .open, .served(.jwks)),
    Route(
      "GET", "/.well-known/openid-configuration", "keys.openid", .open,
      .served(.openIDConfiguration)),
    Route(
      "GET", "/securetoken.google.com/{projectId}/.well-known/openid-configuration",
      "keys.openid", .open, .served(.openIDConfiguration)),
    Route(
      "GET", "/{projectId}/.well-known/openid-configuration", "keys.openid", .open,
      .served(.openIDConfiguration)),
    Route(
      "POST", "/emulator/v1/keys:rotate", "hearth.keys.rotate", .control, body: .json(message: nil),
      .served(.rotateKeys)),
    Route(
      "POST", "/emulator/v1/projects/{targetProjectId}:export", "hearth.accounts.export", .control,
      body: .json(message: nil), .served(.exportAccounts)),
    Route(
      "POST", "/emulator/v1/projects/{targetProjectId}:import", "hearth.accounts.import", .control,
      body: .json(message: nil), .served(.importAccounts)),
  ]
}
