package import HearthControl
import HearthOperations
import HearthServiceAccounts
import HearthTokens
import HearthWire

/// Google's hosts that a production build meets besides Identity Toolkit and Firestore. Each row begins
/// with its host.
package enum GoogleRoutes {
  package static let all: [ServerRoute] = tokens + accounts + keys + metadata + pages

  // MARK: Tokens

  private static let tokens: [ServerRoute] = [
    credentials(
      "POST", template: "/oauth2.googleapis.com/token", id: "google.oauth2.token",
      operation: GrantToken.self),
    credentials(
      "POST", template: "/www.googleapis.com/oauth2/v4/token", id: "google.oauth2.token",
      operation: GrantToken.self),
    credentials(
      "GET", template: "/oauth2.googleapis.com/tokeninfo", id: "google.oauth2.info",
      operation: ShowToken.self),
    credentials(
      "POST", template: "/oauth2.googleapis.com/tokeninfo", id: "google.oauth2.info",
      operation: ShowToken.self),
    credentials(
      "GET", template: "/www.googleapis.com/oauth2/v3/tokeninfo", id: "google.oauth2.info",
      operation: ShowToken.self),
    credentials(
      "GET", template: "/oauth2.googleapis.com/revoke", id: "google.oauth2.revoke",
      operation: RevokeToken.self),
    credentials(
      "POST", template: "/oauth2.googleapis.com/revoke", id: "google.oauth2.revoke",
      operation: RevokeToken.self),
    credentials(
      "POST", template: "/sts.googleapis.com/v1/token", id: "google.sts.token",
      operation: ExchangeToken.self),
  ]

  // MARK: Service accounts

  private static let account =
    "/iamcredentials.googleapis.com/v1/projects/{iamProject}/serviceAccounts/{account}"

  private static let accounts: [ServerRoute] = [
    iam("POST", verb: ":signBlob", operation: SignBlob.self),
    iam("POST", verb: ":signJwt", operation: SignJwt.self),
    iam("POST", verb: ":generateAccessToken", operation: GenerateAccessToken.self),
    iam("POST", verb: ":generateIdToken", operation: GenerateIDToken.self),
    iam("GET", verb: "/allowedLocations", operation: GetAllowedLocations.self),
  ]

  private static func iam(
    _ method: String, verb: String, operation: any ServerOperation.Type
  ) -> ServerRoute {
    ServerRoute(
      Route(
        method, template: account + verb, id: "google.iamcredentials." + verb.dropFirst(),
        credential: .bearerOrKey, body: .credentials, action: .server),
      operation: operation)
  }

  // MARK: Keys

  private static let signer = "securetoken@system.gserviceaccount.com"

  private static let keys: [ServerRoute] = [
    open(
      "GET", template: "/www.googleapis.com/robot/v1/metadata/jwk/\(signer)", id: "keys.jwks",
      operation: GetJwks.self),
    open(
      "GET", template: "/www.googleapis.com/service_accounts/v1/metadata/x509/\(signer)",
      id: "keys.certificates", operation: GetCertificates.self),
    open(
      "GET", template: "/www.googleapis.com/robot/v1/metadata/x509/{account}",
      id: "google.keys.x509", operation: GetAccountCertificates.self),
    open(
      "GET", template: "/www.googleapis.com/robot/v1/metadata/jwk/{account}", id: "google.keys.jwk",
      operation: GetAccountJwks.self),
    open(
      "GET", template: "/www.googleapis.com/service_accounts/v1/jwk/{account}",
      id: "google.keys.jwk", operation: GetAccountJwks.self),
    open(
      "GET", template: "/www.googleapis.com/service_accounts/v1/metadata/x509/{account}",
      id: "google.keys.x509", operation: GetAccountCertificates.self),
    // Of the ID tokens that service accounts get.
    open(
      "GET", template: "/www.googleapis.com/oauth2/v1/certs", id: "google.keys.x509",
      operation: GetAccountCertificates.self),
    open(
      "GET", template: "/www.googleapis.com/oauth2/v3/certs", id: "google.keys.jwk",
      operation: GetAccountJwks.self),
  ]

  // MARK: The metadata server

  private static let metadata: [ServerRoute] = [
    credentials(
      "GET", template: "/metadata.google.internal/", id: "google.metadata",
      operation: GetMetadata.self),
    credentials(
      "GET", template: "/metadata.google.internal/{path=**}", id: "google.metadata",
      operation: GetMetadata.self),
  ]

  // MARK: Pages

  private static let pages: [ServerRoute] = [
    open(
      "GET", template: "/__/auth/links", id: "google.auth.links", operation: FollowAuthLink.self),
    open(
      "GET", template: "/__/firebase/init.json", id: "google.hosting.init",
      operation: GetInitJSON.self),
    open(
      "GET", template: "/__/firebase/init.js", id: "google.hosting.init",
      operation: GetInitScript.self),
  ]

  private static func open(
    _ method: String, template: String, id: String, operation: any ServerOperation.Type
  ) -> ServerRoute {
    ServerRoute(
      Route(method, template: template, id: id, credential: .open, action: .server),
      operation: operation)
  }

  /// A row whose calls hold credentials, which nothing keeps.
  private static func credentials(
    _ method: String, template: String, id: String, operation: any ServerOperation.Type
  ) -> ServerRoute {
    ServerRoute(
      Route(
        method, template: template, id: id, credential: .open, body: .credentials, action: .server),
      operation: operation)
  }
}
