import HearthErrors
import HearthOperations
import HearthTokens
import HearthWire

/// The document by which clients find all else: OpenID Connect Discovery 1.0.
enum Discovery: ProviderOperation {
  static func answer(_ call: ProviderCall) throws -> Outcome {
    let personality = call.personality
    guard personality.speaksOpenID else {
      throw APIError(.notFound, detail: "\(personality.title) has no discovery document")
    }
    let addresses = call.addresses
    let isApple = personality.takesSignedSecrets
    let isMicrosoft = if case .microsoft = personality.wording { true } else { false }
    return .json([
      "issuer": .string(addresses.issuer),
      "authorization_endpoint": .string(addresses[.authorize]),
      "token_endpoint": .string(addresses[.token]),
      "userinfo_endpoint": isApple ? nil : addresses.published(.userinfo).json,
      "jwks_uri": .string(addresses[.jwks]),
      "revocation_endpoint": addresses.published(.revoke).json,
      "introspection_endpoint": isApple ? nil : addresses.published(.introspect).json,
      "end_session_endpoint": isApple ? nil : addresses.published(.logout).json,
      "device_authorization_endpoint": isApple ? nil : addresses.published(.device).json,
      "scopes_supported": .strings(
        isApple ? ["openid", "email", "name"] : ["openid", "email", "profile", "offline_access"]),
      "response_types_supported": .strings(
        isApple
          ? ["code", "code id_token"] : ["code", "id_token", "code id_token", "id_token token"]),
      "response_modes_supported": ["query", "fragment", "form_post"],
      "grant_types_supported": [
        "authorization_code", "implicit", "refresh_token", "client_credentials",
        .string(Token.deviceGrant),
      ],
      "subject_types_supported": [isMicrosoft || isApple ? "pairwise" : "public"],
      "id_token_signing_alg_values_supported": .strings(algorithms(call)),
      "token_endpoint_auth_methods_supported": .strings(
        isApple
          ? ["client_secret_post"] : ["client_secret_basic", "client_secret_post", "none"]),
      "code_challenge_methods_supported": ["S256", "plain"],
      "claims_supported": [
        "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "c_hash", "email",
        "email_verified", "name", "given_name", "family_name", "preferred_username", "picture",
        "groups",
      ],
      "claims_parameter_supported": false, "request_parameter_supported": false,
      "request_uri_parameter_supported": false,
      "authorization_response_iss_parameter_supported": .bool(personality.name == "oidc"),
    ])
  }

  /// The one that is used; and RS256, which every provider has to name.
  private static func algorithms(_ call: ProviderCall) -> [String] {
    let used = call.algorithm
    return [used.rawValue] + (used == .rs256 ? [] : [SigningAlgorithm.rs256.rawValue])
  }
}

/// The keys of a provider: RFC 7517.
enum ProviderJwks: ProviderOperation {
  static var needsKeys: Bool { true }

  static func answer(_ call: ProviderCall) throws -> Outcome {
    // Tokens stay good that were signed before the provider took another algorithm.
    let keys = call.project.server.providerKeys.known(of: call.personality.name)
    let ordered =
      keys.filter { $0.algorithm == call.algorithm }
      + keys.filter { $0.algorithm != call.algorithm }
    return .json(["keys": .array(ordered.map(\.jwk))])
  }
}
