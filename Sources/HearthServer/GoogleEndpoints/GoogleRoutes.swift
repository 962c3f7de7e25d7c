import HearthOperations
import HearthServiceAccounts
import HearthTokens
import HearthWire

/// Google's hosts that a production build meets besides Identity Toolkit and Firestore. Each row begins
/// with its host.
enum GoogleRoutes {
  static let all: [Endpoint] = tokens + accounts + keys + metadata + pages

  // MARK: Tokens

  private static let tokens: [Endpoint] = [
    credentials("POST", "/oauth2.googleapis.com/token", "google.oauth2.token", GrantToken.self),
    credentials(
      "POST", "/www.googleapis.com/oauth2/v4/token", "google.oauth2.token", GrantToken.self),
    credentials("GET", "/oauth2.googleapis.com/tokeninfo", "google.oauth2.info", ShowToken.self),
    credentials("POST", "/oauth2.googleapis.com/tokeninfo", "google.oauth2.info", ShowToken.self),
    credentials(
      "GET", "/www.googleapis.com/oauth2/v3/tokeninfo", "google.oauth2.info", ShowToken.self),
    credentials("GET", "/oauth2.googleapis.com/revoke", "google.oauth2.revoke", RevokeToken.self),
    credentials("POST", "/oauth2.googleapis.com/revoke", "google.oauth2.revoke", RevokeToken.self),
    credentials("POST", "/sts.googleapis.com/v1/token", "google.sts.token", ExchangeToken.self),
  ]

  // MARK: Service accounts

  private static let account =
    "/iamcredentials.googleapis.com/v1/projects/{iamProject}/serviceAccounts/{account}"

  private static let accounts: [Endpoint] = [
    iam("POST", ":signBlob", SignBlob.self), iam("POST", ":signJwt", SignJwt.self),
    iam("POST", ":generateAccessToken", GenerateAccessToken.self),
    iam("POST", ":generateIdToken", GenerateIDToken.self),
    iam("GET", "/allowedLocations", GetAllowedLocations.self),
  ]

  private static func iam(
    _ method: String, _ verb: String, _ operation: any ServerOperation.Type
  ) -> Endpoint {
    Endpoint(
      Route(
        method, account + verb, "google.iamcredentials." + verb.dropFirst(), .bearerOrKey,
        body: .credentials, .server),
      .server(operation))
  }

  // MARK: Keys

  private static let signer = "securetoken@system.gserviceaccount.com"

  private static let keys: [Endpoint] = [
    open(
      "GET", "/www.googleapis.com/robot/v1/metadata/jwk/\(signer)", "keys.jwks", GetJwks.self),
    open(
      "GET", "/www.googleapis.com/service_accounts/v1/metadata/x509/\(signer)",
      "keys.certificates", GetCertificates.self),
    open(
      "GET", "/www.googleapis.com/robot/v1/metadata/x509/{account}", "google.keys.x509",
      GetAccountCertificates.self),
    open(
      "GET", "/www.googleapis.com/robot/v1/metadata/jwk/{account}", "google.keys.jwk",
      GetAccountJwks.self),
    open(
      "GET", "/www.googleapis.com/service_accounts/v1/jwk/{account}", "google.keys.jwk",
      GetAccountJwks.self),
    open(
      "GET", "/www.googleapis.com/service_accounts/v1/metadata/x509/{account}",
      "google.keys.x509", GetAccountCertificates.self),
    // Of the ID tokens that service accounts get.
    open(
      "GET", "/www.googleapis.com/oauth2/v1/certs", "google.keys.x509",
      GetAccountCertificates.self),
    open("GET", "/www.googleapis.com/oauth2/v3/certs", "google.keys.jwk", GetAccountJwks.self),
  ]

  // MARK: The metadata server

  private static let metadata: [Endpoint] = [
    credentials("GET", "/metadata.google.internal/", "google.metadata", GetMetadata.self),
    credentials(
      "GET", "/metadata.google.internal/{path=**}", "google.metadata", GetMetadata.self),
  ]

  // MARK: Pages and installations

  private static let installations =
    "/firebaseinstallations.googleapis.com/v1/projects/{installationProject}/installations"

  private static let pages: [Endpoint] = [
    open("GET", "/__/auth/links", "google.auth.links", FollowAuthLink.self),
    open("GET", "/__/firebase/init.json", "google.hosting.init", GetInitJSON.self),
    open("GET", "/__/firebase/init.js", "google.hosting.init", GetInitScript.self),
    installation("POST", installations, "create", CreateInstallation.self),
    installation(
      "POST", installations + "/{installation}/authTokens:generate", "generateAuthToken",
      GenerateInstallationToken.self),
    installation("DELETE", installations + "/{installation}", "delete", DeleteInstallation.self),
  ]

  private static func installation(
    _ method: String, _ template: String, _ id: String, _ operation: any ServerOperation.Type
  ) -> Endpoint {
    Endpoint(
      Route(
        method, template, "google.installations." + id, .open, body: .json(message: nil), .server),
      .server(operation))
  }

  private static func open(
    _ method: String, _ template: String, _ id: String, _ operation: any ServerOperation.Type
  ) -> Endpoint {
    Endpoint(Route(method, template, id, .open, .server), .server(operation))
  }

  /// A row whose calls hold credentials, which nothing keeps.
  private static func credentials(
    _ method: String, _ template: String, _ id: String, _ operation: any ServerOperation.Type
  ) -> Endpoint {
    Endpoint(Route(method, template, id, .open, body: .credentials, .server), .server(operation))
  }
}
