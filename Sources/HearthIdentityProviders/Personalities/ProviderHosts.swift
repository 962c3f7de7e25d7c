package import HearthWire

/// The host names that providers have in production, and which endpoint is at which path there.
package enum ProviderHosts {
  package struct Row: Sendable {
    package let host: String
    /// `{tenant}` stands for one segment.
    package let path: String
    package let provider: String
    package let endpoint: ProviderAddresses.Endpoint
    /// Whether it is answered and no document names it.
    var isOld = false
  }

  /// Of an endpoint with several addresses, the first one is published.
  package static let rows: [Row] = google + older + apple + microsoft + github + facebook + others

  /// All hosts, once each.
  package static let hosts: [String] = {
    var seen: Set<String> = []
    return rows.map(\.host).filter { seen.insert($0).inserted }
  }()

  /// The path of the route table for a call at a host; nil where nobody answers.
  package static func path(of host: String, _ path: some StringProtocol) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    for row in rows where row.host == host {
      let wanted = row.path.split(separator: "/")
      guard wanted.count == parts.count else { continue }
      var tenant: String?
      let fits = zip(wanted, parts).allSatisfy { pair in
        guard pair.0 == "{tenant}" else { return pair.0 == pair.1 }
        tenant = String(pair.1)
        return true
      }
      guard fits else { continue }
      return "/idp/\(row.provider)" + (tenant.map { "/\($0)" } ?? "")
        + place(of: row.endpoint, inTenant: tenant != nil)
    }
    return nil
  }

  /// Whether a call at a host that Hearth also plays for service accounts is about a person: by its
  /// grant, or by the prefix of its token.
  package static func isAboutPerson(_ path: some StringProtocol, fields: FormFields) -> Bool {
    switch path {
    case "/token", "/oauth2/v4/token":
      let grants = ["authorization_code", "client_credentials", Token.deviceGrant]
      if let grant = fields["grant_type"], grants.contains(grant) { return true }
      return fields["refresh_token"]?.hasPrefix(TokenMint.refreshPrefix) ?? false
    case "/tokeninfo", "/revoke":
      let token = fields["access_token"] ?? fields["token"] ?? ""
      let prefixes = [Personality.named("google")?.accessTokenPrefix, TokenMint.refreshPrefix]
      return fields["id_token"] != nil
        || prefixes.compactMap { $0 }.contains(where: token.hasPrefix)
    // Keys of both are at one address.
    case "/oauth2/v3/certs": return false
    default: return true
    }
  }

  private static func place(
    of endpoint: ProviderAddresses.Endpoint, inTenant: Bool
  ) -> String {
    guard inTenant else { return "/" + endpoint.rawValue }
    return switch endpoint {
    case .discovery: "/v2.0/" + endpoint.rawValue
    case .jwks: "/discovery/v2.0/keys"
    case .device: "/oauth2/v2.0/devicecode"
    default: "/oauth2/v2.0/" + endpoint.rawValue
    }
  }

  private static func rows(
    _ provider: String,
    rows: [(ProviderAddresses.Endpoint, host: String, path: String)]
  ) -> [Row] {
    rows.map { Row(host: $0.host, path: $0.path, provider: provider, endpoint: $0.0) }
  }

  private static let google = rows(
    "google",
    rows: [
      (.discovery, "accounts.google.com", "/.well-known/openid-configuration"),
      (.authorize, "accounts.google.com", "/o/oauth2/v2/auth"),
      (.authorize, "accounts.google.com", "/o/oauth2/auth"),
      (.logout, "accounts.google.com", "/Logout"),
      (.jwks, "www.googleapis.com", "/oauth2/v3/certs"),
      (.token, "oauth2.googleapis.com", "/token"),
      (.revoke, "oauth2.googleapis.com", "/revoke"),
      (.tokeninfo, "oauth2.googleapis.com", "/tokeninfo"),
      (.device, "oauth2.googleapis.com", "/device/code"),
      (.activate, "www.google.com", "/device"),
      (.userinfo, "openidconnect.googleapis.com", "/v1/userinfo"),
      (.userinfo, "www.googleapis.com", "/oauth2/v3/userinfo"),
      (.userinfo, "www.googleapis.com", "/oauth2/v2/userinfo"),
      (.userinfo, "www.googleapis.com", "/oauth2/v1/userinfo"),
    ])

  /// Libraries that are older than a document still have these built in.
  private static let older = rows(
    "google",
    rows: [
      (.token, "www.googleapis.com", "/oauth2/v4/token"),
      (.token, "accounts.google.com", "/o/oauth2/token"),
    ]
  ).map { row in
    var row = row
    row.isOld = true
    return row
  }

  private static let apple = rows(
    "apple",
    rows: [
      (.discovery, "appleid.apple.com", "/.well-known/openid-configuration"),
      (.jwks, "appleid.apple.com", "/auth/keys"),
      (.authorize, "appleid.apple.com", "/auth/authorize"),
      (.token, "appleid.apple.com", "/auth/token"),
      (.revoke, "appleid.apple.com", "/auth/revoke"),
    ])

  private static let microsoft = rows(
    "microsoft",
    rows: [
      (
        .discovery, "login.microsoftonline.com",
        "/{tenant}/v2.0/.well-known/openid-configuration"
      ),
      (.jwks, "login.microsoftonline.com", "/{tenant}/discovery/v2.0/keys"),
      (.authorize, "login.microsoftonline.com", "/{tenant}/oauth2/v2.0/authorize"),
      (.token, "login.microsoftonline.com", "/{tenant}/oauth2/v2.0/token"),
      (.logout, "login.microsoftonline.com", "/{tenant}/oauth2/v2.0/logout"),
      (.device, "login.microsoftonline.com", "/{tenant}/oauth2/v2.0/devicecode"),
      (.userinfo, "graph.microsoft.com", "/oidc/userinfo"),
      (.me, "graph.microsoft.com", "/v1.0/me"),
    ])

  private static let github = rows(
    "github",
    rows: [
      (.authorize, "github.com", "/login/oauth/authorize"),
      (.token, "github.com", "/login/oauth/access_token"),
      (.device, "github.com", "/login/device/code"),
      (.activate, "github.com", "/login/device"),
      (.me, "api.github.com", "/user"), (.emails, "api.github.com", "/user/emails"),
    ])

  private static let facebook = rows(
    "facebook",
    rows: [
      (.discovery, "www.facebook.com", "/.well-known/openid-configuration"),
      (.jwks, "www.facebook.com", "/.well-known/oauth/openid/jwks"),
      (.authorize, "www.facebook.com", "/{tenant}/dialog/oauth"),
      (.authorize, "www.facebook.com", "/dialog/oauth"),
      (.token, "graph.facebook.com", "/oauth/access_token"),
      (.token, "graph.facebook.com", "/{tenant}/oauth/access_token"),
      (.me, "graph.facebook.com", "/me"), (.me, "graph.facebook.com", "/{tenant}/me"),
      (.introspect, "graph.facebook.com", "/debug_token"),
      (.discovery, "limited.facebook.com", "/.well-known/openid-configuration"),
      (.jwks, "limited.facebook.com", "/.well-known/oauth/openid/jwks"),
      (.authorize, "limited.facebook.com", "/{tenant}/dialog/oauth"),
    ])

  /// OAuth 1.0a of X.
  private static func signed(
    _ host: String
  ) -> [(ProviderAddresses.Endpoint, host: String, path: String)] {
    [.requestToken, .authorizeToken, .authenticateToken, .accessToken, .credentials]
      .map { (endpoint: ProviderAddresses.Endpoint) in (endpoint, host, "/" + endpoint.rawValue) }
  }

  private static let others =
    rows(
      "x",
      rows: [
        (.authorize, "x.com", "/i/oauth2/authorize"),
        (.authorize, "twitter.com", "/i/oauth2/authorize"),
        (.token, "api.x.com", "/2/oauth2/token"), (.token, "api.twitter.com", "/2/oauth2/token"),
        (.revoke, "api.x.com", "/2/oauth2/revoke"), (.me, "api.x.com", "/2/users/me"),
        (.me, "api.twitter.com", "/2/users/me"),
      ] + signed("api.x.com") + signed("api.twitter.com"))
    + rows(
      "yahoo",
      rows: [
        (.discovery, "api.login.yahoo.com", "/.well-known/openid-configuration"),
        (.jwks, "api.login.yahoo.com", "/openid/v1/certs"),
        (.authorize, "api.login.yahoo.com", "/oauth2/request_auth"),
        (.token, "api.login.yahoo.com", "/oauth2/get_token"),
        (.userinfo, "api.login.yahoo.com", "/openid/v1/userinfo"),
        (.revoke, "api.login.yahoo.com", "/oauth2/revoke"),
        (.introspect, "api.login.yahoo.com", "/oauth2/introspect"),
      ])
    + rows(
      "linkedin",
      rows: [
        (.discovery, "www.linkedin.com", "/oauth/.well-known/openid-configuration"),
        (.jwks, "www.linkedin.com", "/oauth/openid/jwks"),
        (.authorize, "www.linkedin.com", "/oauth/v2/authorization"),
        (.token, "www.linkedin.com", "/oauth/v2/accessToken"),
        (.userinfo, "api.linkedin.com", "/v2/userinfo"),
      ])
}
