package import HearthErrors
package import HearthWire

/// One of the three kinds of provider configuration; what they differ in.
package protocol IdpConfigKind: Sendable {
  /// The noun in the path, and the member of a list answer.
  static var collection: String { get }
  /// The query parameter that names a new configuration.
  static var idParameter: String { get }
  /// The path variable that names a known one.
  static var idVariable: String { get }
  static func check(id: String, _ config: JSONObject) throws(APIError)
}

/// OpenID Connect providers.
enum OauthIdpConfigs: IdpConfigKind {
  static let collection = "oauthIdpConfigs"
  static let idParameter = "oauthIdpConfigId"
  static let idVariable = "oauthIdpConfigsId"

  static func check(id: String, _ config: JSONObject) throws(APIError) {
    guard id.hasPrefix("oidc.") else {
      throw APIError(.invalidProviderId, detail: "the id must begin with oidc.")
    }
    guard (config["clientId"]?.string).isGiven else { throw APIError(.missingOauthClientId) }
    guard let issuer = (config["issuer"]?.string).nonEmpty else { throw APIError(.missingIssuer) }
    guard WebURL(issuer) != nil else { throw APIError(.invalidIssuer) }
  }
}

/// SAML providers.
enum InboundSamlConfigs: IdpConfigKind {
  static let collection = "inboundSamlConfigs"
  static let idParameter = "inboundSamlConfigId"
  static let idVariable = "inboundSamlConfigsId"

  static func check(id: String, _ config: JSONObject) throws(APIError) {
    guard id.hasPrefix("saml.") else {
      throw APIError(.invalidProviderId, detail: "the id must begin with saml.")
    }
    let idp = config["idpConfig"]
    for field in ["idpEntityId", "ssoUrl"] where !(idp?[field]?.string).isGiven {
      throw APIError(.missingSamlConfig, detail: "idpConfig.\(field) is missing")
    }
    guard (config["spConfig"]?["spEntityId"]?.string).isGiven else {
      throw APIError(.missingSamlConfig, detail: "spConfig.spEntityId is missing")
    }
  }
}

/// Providers that Google knows, such as `google.com`.
enum DefaultSupportedIdpConfigs: IdpConfigKind {
  static let collection = "defaultSupportedIdpConfigs"
  static let idParameter = "idpId"
  static let idVariable = "defaultSupportedIdpConfigsId"

  static func check(id: String, _ config: JSONObject) throws(APIError) {
    guard ListDefaultSupportedIdps.known.contains(where: { $0.id == id }) else {
      throw APIError(.invalidProviderId, detail: "\(id) is not a default provider")
    }
  }
}
