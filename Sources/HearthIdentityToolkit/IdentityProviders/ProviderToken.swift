import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// The checks of an ID token of a provider that the project configures itself, and of the
/// nonces of Google's, Apple's and Facebook's. The signature cannot be checked: that takes the provider's keys.
enum ProviderToken {
  private static let leeway: Int64 = 300

  static func check(
    _ request: SignInWithIdp.Request, project: ProjectTransaction, context: Context
  ) throws(APIError) {
    guard let url = request.requestUri.flatMap({ WebURL($0) }) else { return }
    let inputs = IdpCredential.inputs(
      of: url, postBody: request.postBody, pendingToken: request.pendingToken)
    guard let provider = inputs["providerId"] else { return }
    if provider == "google.com" { try checkGoogle(inputs["id_token"]) }
    let nonce = ProviderNonce(request, url: url, provider: provider.lowercased())
    if ["google.com", "apple.com", "facebook.com"].contains(provider.lowercased()) {
      try nonce?.redeem(project, context: context)
    }
    guard let kind = kind(of: provider) else { return }
    guard let config = try IdpConfigs(in: project).config(kind, id: provider) else {
      throw APIError(
        .operationNotAllowed, detail: "The identity provider configuration is not found.")
    }
    guard config["enabled"]?.bool == true, kind == OauthIdpConfigs.self else { return }
    guard let token = inputs["id_token"].nonEmpty else {
      if inputs["access_token"].isGiven || inputs["code"].isGiven { return }
      throw APIError(
        .invalidCredentialOrProviderId,
        detail:
          "Invalid IdP response/credential: \(request.requestUri ?? "")?\(request.postBody ?? "")")
    }
    guard let jwt = JWT(token) else {
      throw APIError(.invalidIdpResponse, detail: "Unable to parse the ID Token.")
    }
    let acceptsUnsigned = try project.switches().acceptUnsignedTokens
    let isTaken =
      switch jwt.algorithm {
      case "RS256"?: true
      // Not observed. It is taken of a provider here, whose signature can be verified.
      case "ES256"?: project.server.providerKeys.verified(token, of: "oidc") != nil
      case "none"?: acceptsUnsigned
      default: false
      }
    guard isTaken else {
      throw APIError(.invalidIdpResponse, detail: "Unable to verify the ID Token signature.")
    }
    try check(jwt.claims, config: config, now: context.now.seconds)
    try nonce?.redeem(project, context: context)
  }

  /// Claims that are JSON are for emulators, and are taken.
  private static func checkGoogle(_ token: String?) throws(APIError) {
    guard let token = token.nonEmpty, !token.hasPrefix("{"), JWT(token) == nil else { return }
    throw APIError(.invalidIdpResponse, detail: "Unable to parse Google id_token: \(token)")
  }

  private static func kind(of provider: String) -> (any IdpConfigKind.Type)? {
    switch provider.prefix(5).lowercased() {
    case "oidc.": OauthIdpConfigs.self
    case "saml.": InboundSamlConfigs.self
    default: nil
    }
  }

  private static func check(
    _ claims: JSONObject, config: JSONObject, now: Int64
  ) throws(APIError) {
    let issuer = config["issuer"]?.string ?? ""
    let named = claims["iss"]?.string ?? ""
    guard named == issuer else {
      throw APIError(
        .invalidIdpResponse,
        detail:
          "The issuer in ID Token \(named) does not match the expected one in config: \(issuer).")
    }
    let audiences = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string ?? ""]
    let clientId = config["clientId"]?.string ?? ""
    guard audiences.contains(clientId) else {
      throw APIError(
        .invalidIdpResponse,
        detail:
          "The audience in ID Token [\(audiences.joined(separator: ", "))] does not match the "
          + "expected audience \(clientId).")
    }
    let issued = claims["iat"]?.integer ?? 0
    let leeway = ProviderToken.leeway
    guard let expiry = claims["exp"]?.integer, expiry > now, issued <= now &+ leeway else {
      throw APIError(
        .invalidIdpResponse, detail: "ID Token issued at \(issued) is stale to sign-in.")
    }
    guard (claims["sub"]?.string).isGiven else {
      let members = claims.members.sorted { $0.key < $1.key }
      throw APIError(
        .invalidIdpResponse,
        detail: "ID Token does not contain user's identity in 'sub' claim: "
          + JSON.object(JSONObject(members: members)).text)
    }
  }
}
