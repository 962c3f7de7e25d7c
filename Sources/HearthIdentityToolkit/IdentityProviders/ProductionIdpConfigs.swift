import HearthErrors
import HearthOperations
import HearthWire

/// Provider configurations as production checks and shows them.
enum ProductionIdpConfigs {
  /// What the three kinds are called in refusals.
  private static func name(_ kind: any IdpConfigKind.Type) -> String {
    switch kind.collection {
    case OauthIdpConfigs.collection: "OAuthIdpConfig"
    case InboundSamlConfigs.collection: "InboundSamlConfig"
    default: "DefaultSupportedIdpConfig"
    }
  }

  static func exists(_ kind: any IdpConfigKind.Type, _ id: String) -> APIError {
    APIError(
      .configurationExists, "The \(name(kind)) already exists with config_id: \(id)")
  }

  static func check(
    _ kind: any IdpConfigKind.Type, _ id: String, _ config: JSONObject
  ) throws(APIError) {
    switch kind.collection {
    case OauthIdpConfigs.collection: try checkOauth(id, config)
    case InboundSamlConfigs.collection:
      try checkId(id, prefix: "saml.", parameter: "Inbound_saml_config_id")
      try InboundSamlConfigs.check(id: id, config)
    default: try kind.check(id: id, config)
    }
  }

  private static func checkOauth(_ id: String, _ config: JSONObject) throws(APIError) {
    try checkId(id, prefix: "oidc.", parameter: "Oauth_idp_config_id")
    guard (config["clientId"]?.string).isGiven else {
      throw APIError(.missingOauthClientId, "Client_id in OAuthIdpConfig cannot be empty.")
    }
    guard let issuer = config["issuer"]?.string, WebURL(issuer)?.scheme == "https" else {
      throw APIError(.invalidIssuer, "Issuer in OAuthIdpConfig should be a valid URL.")
    }
    guard let type = config["responseType"], type.object?.isEmpty == false else { return }
    let (code, idToken) = (type["code"]?.bool == true, type["idToken"]?.bool == true)
    guard code != idToken else {
      throw APIError(
        .invalidConfig,
        "response_type should have exactly one of 'idToken' and 'code' being true. Setting both "
          + "types to be true ('{code: true, idToken: true}') is not yet supported.")
    }
    if code, !(config["clientSecret"]?.string).isGiven {
      throw APIError(.invalidConfig, "client_secret cannot be empty for code flow.")
    }
  }

  private static func checkId(
    _ id: String, prefix: String, parameter: String
  ) throws(APIError) {
    let rest = id.dropFirst(prefix.count).utf8
    let isPlain = rest.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
    let begins = rest.first?.isASCIILowercase ?? false
    let ends = rest.last?.isASCIIAlphanumeric ?? false
    guard id.hasPrefix(prefix), isPlain, begins, ends, rest.count >= 2 else {
      throw APIError(
        .invalidConfigId,
        "\(parameter) must start with '\(prefix)' and can only have alphanumeric characters, "
          + "hyphens, underscores or periods. The part after '\(prefix)' must also start with a "
          + "lowercase letter, end with an alphanumeric character, and have at least 2 characters.")
    }
  }
}

extension ProjectTransaction {
  /// A configuration in an answer: in production under the project's number, without what is off.
  func shown(
    _ config: JSONObject, _ kind: any IdpConfigKind.Type, _ id: String
  ) throws(APIError) -> JSONObject {
    guard try answersAsProduction else { return config }
    var shown = JSON.object(config).withoutDefaults?.object ?? config
    let owner = tenantId.map { "/tenants/\($0)" } ?? ""
    shown["name"] = .string("projects/\(Token.projectNumber)\(owner)/\(kind.collection)/\(id)")
    return shown
  }
}
