import HearthWire

/// Where the endpoints of a provider are: below `/idp/` of the port that was called, or under the
/// provider's own host names.
package struct ProviderAddresses: Sendable {
  package enum Endpoint: String, Sendable, CaseIterable {
    case discovery = ".well-known/openid-configuration"
    case jwks, authorize, token, userinfo, revoke, introspect, logout
    case device
    case activate
    case me, emails, tokeninfo
    /// Of SAML.
    case metadata, sso
    /// Of OAuth 1.0a.
    case requestToken = "oauth/request_token"
    case authorizeToken = "oauth/authorize"
    case authenticateToken = "oauth/authenticate"
    case accessToken = "oauth/access_token"
    case credentials = "1.1/account/verify_credentials.json"
  }

  private let personality: Personality
  private let base: String
  /// The base without a tenant.
  private let start: String
  private let path: String
  private let tenant: String?
  /// Whether it was called by a host name of its own.
  private let isOwnHost: Bool
  private let host: String

  package init(_ personality: Personality, base: String, project: String?, tenant: String?) {
    self.personality = personality
    self.tenant = tenant
    let host = base.hasPrefix("https://") ? String(base.dropFirst(8)) : ""
    self.host = host
    isOwnHost = ProviderHosts.rows.contains { $0.host == host && $0.provider == personality.name }
    let place = project.map { "projects/\($0)/" } ?? ""
    let ownPath = "/idp/\(place)\(personality.name)"
    start = base + ownPath
    path = ownPath + (tenant.map { "/\($0)" } ?? "")
    self.base = base + path
  }

  package var issuer: String {
    guard isOwnHost, let issuer = personality.issuer else {
      return tenant == nil ? base : "\(start)/\(issuerTenant)/v2.0"
    }
    return issuer.replacing("{tenant}", with: issuerTenant)
  }

  /// The tenants that stand for several say so in discovery; tokens name the person's own.
  private var issuerTenant: String {
    switch tenant {
    case nil, "common"?, "organizations"?: "{tenantid}"
    case "consumers"?: Personality.personalTenant
    case let id?: id
    }
  }

  /// The tenant of a client that acts for itself.
  var ownTenant: String {
    guard let tenant, !["common", "organizations", "consumers"].contains(tenant) else {
      return Personality.personalTenant
    }
    return tenant
  }

  /// The issuer in the tokens of somebody; nil for a client that acts for itself.
  func issuer(for persona: Persona?) -> String {
    let tenant = persona.map { $0.tenant ?? Personality.personalTenant }
    return issuer.replacing("{tenantid}", with: tenant ?? ownTenant)
  }

  /// The address that discovery tells; nil where the provider's own host has no such endpoint.
  func published(_ endpoint: Endpoint) -> String? {
    let isKnown = ProviderHosts.rows.contains {
      $0.provider == personality.name && $0.endpoint == endpoint
    }
    return isOwnHost && !isKnown ? nil : self[endpoint]
  }

  package subscript(endpoint: Endpoint) -> String {
    if isOwnHost, let row = row(of: endpoint) {
      return "https://\(row.host)" + row.path.replacing("{tenant}", with: tenant ?? "common")
    }
    if tenant != nil {
      switch endpoint {
      case .authorize, .token, .logout: return "\(base)/oauth2/v2.0/\(endpoint.rawValue)"
      case .device: return "\(base)/oauth2/v2.0/devicecode"
      case .jwks: return "\(base)/discovery/v2.0/keys"
      case .discovery: return "\(base)/v2.0/\(endpoint.rawValue)"
      default: break
      }
    }
    return "\(base)/\(endpoint.rawValue)"
  }

  /// Of an endpoint with several addresses, the one at the host that was called goes first.
  private func row(of endpoint: Endpoint) -> ProviderHosts.Row? {
    let rows = ProviderHosts.rows.filter {
      $0.provider == personality.name && $0.endpoint == endpoint && !$0.isOld
    }
    return rows.first { $0.host == host } ?? rows.first
  }

  /// Where cookies of the provider go.
  var cookiePath: String { isOwnHost ? "/" : path }
}
