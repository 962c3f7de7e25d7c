import HearthErrors
import HearthOperations
import HearthWire

/// How provider configurations are checked, changed and shown, where the two programs do it
/// differently.
protocol IdpConfigRules: Sendable {
  /// The id of a configuration that is to be made.
  func newId(_ given: String?, of kind: any IdpConfigKind.Type) throws(APIError) -> String
  func exists(_ id: String, of kind: any IdpConfigKind.Type) -> APIError
  func check(
    _ config: JSONObject, of kind: any IdpConfigKind.Type, id: String
  ) throws(APIError)
  func isEnabled(_ config: JSONObject) -> Bool
  func change(
    _ known: JSONObject, by update: JSONObject, where mask: FieldMask
  ) -> JSONObject
  /// A configuration in an answer.
  func shown(_ config: JSONObject, as name: String) -> JSONObject
}

extension IdpConfigs {
  func rules() throws(APIError) -> any IdpConfigRules {
    switch try answers {
    case .emulator: LooseIdpConfigs()
    case .production: StrictIdpConfigs()
    }
  }

  func shown(
    _ config: JSONObject, of kind: any IdpConfigKind.Type, id: String
  ) throws(APIError) -> JSONObject {
    let owner = tenantId.map { "/tenants/\($0)" } ?? ""
    return try rules().shown(config, as: "\(owner)/\(kind.collection)/\(id)")
  }
}

/// As the official emulator does it.
private struct LooseIdpConfigs: IdpConfigRules {
  func newId(_ given: String?, of kind: any IdpConfigKind.Type) throws(APIError) -> String {
    guard let given else {
      throw APIError(.invalidProviderId, detail: "\(kind.idParameter) is missing")
    }
    return given
  }

  func exists(_ id: String, of kind: any IdpConfigKind.Type) -> APIError {
    APIError(.configurationExists)
  }

  func check(
    _ config: JSONObject, of kind: any IdpConfigKind.Type, id: String
  ) throws(APIError) {
    try kind.check(id: id, config)
  }

  func isEnabled(_ config: JSONObject) -> Bool { config["enabled"]?.bool != false }

  func change(
    _ known: JSONObject, by update: JSONObject, where mask: FieldMask
  ) -> JSONObject {
    mask.copy(from: update, into: known)
  }

  func shown(_ config: JSONObject, as name: String) -> JSONObject { config }
}

/// As production does it.
private struct StrictIdpConfigs: IdpConfigRules {
  func newId(_ given: String?, of kind: any IdpConfigKind.Type) -> String { given ?? "" }

  /// What the three kinds are called in refusals.
  private func name(_ kind: any IdpConfigKind.Type) -> String {
    switch kind.collection {
    case OauthIdpConfigs.collection: "OAuthIdpConfig"
    case InboundSamlConfigs.collection: "InboundSamlConfig"
    default: "DefaultSupportedIdpConfig"
    }
  }

  func exists(_ id: String, of kind: any IdpConfigKind.Type) -> APIError {
    APIError(
      .configurationExists, detail: "The \(name(kind)) already exists with config_id: \(id)")
  }

  func check(
    _ config: JSONObject, of kind: any IdpConfigKind.Type, id: String
  ) throws(APIError) {
    switch kind.collection {
    case OauthIdpConfigs.collection: try checkOauth(config, id: id)
    case InboundSamlConfigs.collection:
      try checkId(id, prefix: "saml.", parameter: "Inbound_saml_config_id")
      try InboundSamlConfigs.check(id: id, config)
    default: try kind.check(id: id, config)
    }
  }

  private func checkOauth(_ config: JSONObject, id: String) throws(APIError) {
    try checkId(id, prefix: "oidc.", parameter: "Oauth_idp_config_id")
    guard (config["clientId"]?.string).isGiven else {
      throw APIError(.missingOauthClientId, detail: "Client_id in OAuthIdpConfig cannot be empty.")
    }
    guard let issuer = config["issuer"]?.string, WebURL(issuer)?.scheme == "https" else {
      throw APIError(.invalidIssuer, detail: "Issuer in OAuthIdpConfig should be a valid URL.")
    }
    guard let type = config["responseType"], type.object?.isEmpty == false else { return }
    let (code, idToken) = (type["code"]?.bool == true, type["idToken"]?.bool == true)
    guard code != idToken else {
      throw APIError(
        .invalidConfig,
        detail:
          "response_type should have exactly one of 'idToken' and 'code' being true. Setting both "
          + "types to be true ('{code: true, idToken: true}') is not yet supported.")
    }
    if code, !(config["clientSecret"]?.string).isGiven {
      throw APIError(.invalidConfig, detail: "client_secret cannot be empty for code flow.")
    }
  }

  private func checkId(
    _ id: String, prefix: String, parameter: String
  ) throws(APIError) {
    let rest = id.dropFirst(prefix.count).utf8
    let isPlain = rest.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
    let begins = rest.first?.isASCIILowercase ?? false
    let ends = rest.last?.isASCIIAlphanumeric ?? false
    guard id.hasPrefix(prefix), isPlain, begins, ends, rest.count >= 2 else {
      throw APIError(
        .invalidConfigId,
        detail:
          "\(parameter) must start with '\(prefix)' and can only have alphanumeric characters, "
          + "hyphens, underscores or periods. The part after '\(prefix)' must also start with a "
          + "lowercase letter, end with an alphanumeric character, and have at least 2 characters.")
    }
  }

  /// What does not say that it is enabled is not.
  func isEnabled(_ config: JSONObject) -> Bool { config["enabled"]?.bool == true }

  func change(
    _ known: JSONObject, by update: JSONObject, where mask: FieldMask
  ) -> JSONObject {
    mask.replace(in: known, from: update)
  }

  /// Under the project's number, without what is off.
  func shown(_ config: JSONObject, as name: String) -> JSONObject {
    var shown = JSON.object(config).withoutDefaults?.object ?? config
    shown["name"] = .string("projects/\(Token.projectNumber)\(name)")
    if name.contains("/\(OauthIdpConfigs.collection)/"), shown["responseType"] == nil {
      shown["responseType"] = ["idToken": true]
    }
    return shown
  }
}
