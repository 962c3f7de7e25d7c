import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// What production checks of an ID token of a provider that the project configures itself. The
/// signature cannot be checked: that takes the provider's keys.
enum ProductionOidc {
  static func check(
    _ request: SignInWithIdp.Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) {
    guard let url = request.requestUri.flatMap({ WebURL($0) }) else { return }
    let inputs = IdpCredential.inputs(of: url, request.postBody, request.pendingToken)
    guard let provider = inputs["providerId"] else { return }
    if provider == "google.com" { try checkGoogle(inputs["id_token"]) }
    guard let kind = kind(of: provider) else { return }
    guard let config = try project.idpConfig(kind, provider) else {
      throw APIError(.operationNotAllowed, "The identity provider configuration is not found.")
    }
    guard config["enabled"]?.bool == true, kind == OauthIdpConfigs.self else { return }
    guard let token = inputs["id_token"].nonEmpty else {
      if inputs["access_token"].isGiven || inputs["code"].isGiven { return }
      throw APIError(
        .invalidCredentialOrProviderId,
        "Invalid IdP response/credential: \(request.requestUri ?? "")?\(request.postBody ?? "")")
    }
    guard let jwt = JWT(token) else {
      throw APIError(.invalidIdpResponse, "Unable to parse the ID Token.")
    }
    let acceptsUnsigned = try project.switches().acceptUnsignedTokens
    guard jwt.algorithm == "RS256" || acceptsUnsigned && jwt.algorithm == "none" else {
      throw APIError(.invalidIdpResponse, "Unable to verify the ID Token signature.")
    }
    try check(jwt.claims, config, context.now.seconds)
    try check(nonce: inputs["nonce"], jwt.claims)
  }

  /// Claims that are JSON are for emulators, and are taken.
  private static func checkGoogle(_ token: String?) throws(APIError) {
    guard let token = token.nonEmpty, !token.hasPrefix("{"), JWT(token) == nil else { return }
    throw APIError(.invalidIdpResponse, "Unable to parse Google id_token: \(token)")
  }

  /// A token holds the hash of what the client sends beside it.
  private static func check(nonce: String?, _ claims: JSONObject) throws(APIError) {
    guard let nonce = nonce.nonEmpty, let hash = claims["nonce"]?.string else { return }
    let digest = Digest.sha256.hash(Array(nonce.utf8))
    if hash == String(decoding: digest.hexDigits, as: UTF8.self) { return }
    throw APIError(
      .missingOrInvalidNonce,
      "The nonce in ID Token \"\(hash)\" does not match the SHA256 hash of the raw nonce "
        + "\"\(nonce)\" in the request.")
  }

  private static func kind(of provider: String) -> (any IdpConfigKind.Type)? {
    switch provider.prefix(5).lowercased() {
    case "oidc.": OauthIdpConfigs.self
    case "saml.": InboundSamlConfigs.self
    default: nil
    }
  }

  private static func check(
    _ claims: JSONObject, _ config: JSONObject, _ now: Int64
  ) throws(APIError) {
    let issuer = config["issuer"]?.string ?? ""
    let named = claims["iss"]?.string ?? ""
    guard named == issuer else {
      throw APIError(
        .invalidIdpResponse,
        "The issuer in ID Token \(named) does not match the expected one in config: \(issuer).")
    }
    let audiences = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string ?? ""]
    let clientId = config["clientId"]?.string ?? ""
    guard audiences.contains(clientId) else {
      throw APIError(
        .invalidIdpResponse,
        "The audience in ID Token [\(audiences.joined(separator: ", "))] does not match the "
          + "expected audience \(clientId).")
    }
    let issued = claims["iat"]?.integer ?? 0
    let leeway = ProjectTransaction.productionLeeway
    guard let expiry = claims["exp"]?.integer, expiry > now, issued <= now &+ leeway else {
      throw APIError(
        .invalidIdpResponse, "ID Token issued at \(issued) is stale to sign-in.")
    }
    guard (claims["sub"]?.string).isGiven else {
      let members = claims.members.sorted { $0.key < $1.key }
      throw APIError(
        .invalidIdpResponse,
        "ID Token does not contain user's identity in 'sub' claim: "
          + JSON.object(JSONObject(members: members)).text)
    }
  }
}
