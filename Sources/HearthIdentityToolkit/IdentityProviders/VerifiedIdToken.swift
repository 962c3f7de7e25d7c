import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// What strict providers ask of an ID token where keys of issuers are configured: that the provider
/// signed it, for this project, and that it is the one that was asked for.
struct VerifiedIdToken {
  private let providerId: String
  private let token: String?
  private let rawNonce: String?

  init(_ request: SignInWithIdp.Request) {
    let url = request.requestUri.flatMap { WebURL($0) }
    let inputs =
      url.map {
        IdpCredential.inputs(of: $0, postBody: request.postBody, pendingToken: request.pendingToken)
      } ?? [:]
    providerId = (inputs["providerId"] ?? "").lowercased()
    token = inputs["id_token"].nonEmpty
    rawNonce = inputs["nonce"].nonEmpty
  }

  /// Whether there is something to verify. SAML has no ID tokens.
  var isNeeded: Bool { !providerId.isEmpty && !providerId.hasPrefix("saml.") }

  /// Verifies signature, issuer and times outside of a transaction: keys may have to be fetched.
  func claims(_ keys: IdpKeys, at times: [Timestamp]) async throws(APIError) -> JSONObject {
    guard let token else {
      throw APIError(
        .invalidIdpResponse, detail: "Strict providers need an ID token, which can be verified.")
    }
    do throws(IdpKeys.Refusal) {
      return try await keys.verify(token, at: times)
    } catch {
      throw APIError(.invalidIdpResponse, detail: error.description)
    }
  }

  /// Checks what depends on the project: issuer, audience and nonce.
  func check(_ claims: JSONObject, project: ProjectTransaction) throws(APIError) {
    let isOidc = providerId.hasPrefix("oidc.")
    let config = try IdpConfigs(in: project).config(
      isOidc ? OauthIdpConfigs.self : DefaultSupportedIdpConfigs.self, id: providerId)
    let issuer = claims["iss"]?.string ?? ""
    let expected = isOidc ? config?["issuer"]?.string.map { [$0] } : Self.issuers[providerId]
    guard let expected, expected.contains(issuer) else {
      throw APIError(
        .invalidIdpResponse,
        detail:
          "The issuer in ID Token \(issuer.prefix(200)) does not match the provider \(providerId).")
    }
    try Self.check(claims, audience: config?["clientId"]?.string)
    // A nonce that no token asks for is not looked at; Facebook's always do.
    if let hash = claims["nonce"]?.string.nonEmpty ?? (providerId == "facebook.com" ? "" : nil) {
      try ProviderNonce.check(rawNonce, matching: hash)
    }
  }

  /// Checks whom a token is for, where the project says who it is to the provider.
  static func checkAudience(
    _ claims: JSONObject, of providerId: String, in project: ProjectTransaction
  ) throws(APIError) {
    guard let clientId = try clientId(of: providerId, in: project) else { return }
    try check(claims, audience: clientId)
  }

  /// What the project is to a provider; nil where it is not configured.
  static func clientId(
    of providerId: String, in project: ProjectTransaction
  ) throws(APIError) -> String? {
    let kind: any IdpConfigKind.Type =
      providerId.hasPrefix("oidc.") ? OauthIdpConfigs.self : DefaultSupportedIdpConfigs.self
    let config = try IdpConfigs(in: project).config(kind, id: providerId)
    return config?["clientId"]?.string.nonEmpty
  }

  private static func check(_ claims: JSONObject, audience: String?) throws(APIError) {
    let audiences = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string ?? ""]
    guard let audience = audience.nonEmpty, audiences.contains(audience) else {
      throw APIError(
        .invalidIdpResponse,
        detail:
          "The audience in ID Token [\(audiences.joined(separator: ", "))] does not match the "
          + "expected audience \(audience ?? "").")
    }
  }

  /// Who signs the tokens of the providers that everybody knows.
  private static let issuers: [String: [String]] = [
    "google.com": ["https://accounts.google.com", "accounts.google.com"],
    "apple.com": ["https://appleid.apple.com"],
    "facebook.com": [
      "https://www.facebook.com", "https://facebook.com", "https://limited.facebook.com",
    ],
  ]
}
