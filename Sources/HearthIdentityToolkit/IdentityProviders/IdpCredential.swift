import HearthErrors
import HearthTokens
import HearthWire

/// What a provider handed to the client, collected from `requestUri` and `postBody`.
struct IdpCredential: Sendable {
  let providerId: String
  let claims: JSONObject
  let idToken: String?
  let accessToken: String?
  /// Beside the access tokens of providers that speak OAuth 1.
  let tokenSecret: String?
  /// Beside the tokens of a code that was redeemed here.
  let refreshToken: String?
  let assertion: JSON?
  /// What the provider says of the owner of the access token; nil where a token has claims itself.
  let answer: ProviderAnswer?
  /// Whether nothing but the access token says who it is.
  let restsOnAccessToken: Bool
  /// The name that Apple sends beside its token, once.
  let name: String?
  private let assertionText: String?
  private let assertionTicket: String?

  init(
    requestURI: String?, postBody: String?, pendingToken: String?,
    answer ofProvider: ProviderAnswer? = nil, refreshToken: String? = nil,
    assertion verified: VerifiedAssertion? = nil
  ) throws(APIError) {
    guard let requestURI else {
      throw APIError(.missingRequestURI)
    }
    guard let url = WebURL(requestURI) else { throw APIError(.invalidRequestURI) }
    let inputs = Self.inputs(of: url, postBody: postBody, pendingToken: pendingToken)
    guard let provider = inputs["providerId"].nonEmpty else {
      let merged = Self.merged(url, postBody: postBody)
      throw APIError(
        .invalidCredentialOrProviderId, detail: "Invalid IdP response/credential: \(merged)")
    }
    providerId = provider.lowercased()
    idToken = inputs["id_token"].nonEmpty
    accessToken = inputs["access_token"].nonEmpty
    tokenSecret = inputs["oauth_token_secret"].nonEmpty
    name = providerId == "apple.com" ? Self.name(ofAppleUser: inputs["user"]) : nil
    self.refreshToken = refreshToken
    assertionTicket = verified?.ticket
    if let verified {
      claims = verified.claims
      restsOnAccessToken = false
      answer = nil
      assertion = verified.json
      assertionText = nil
      return
    }
    if idToken == nil, let ofProvider {
      claims = ofProvider.claims
      restsOnAccessToken = false
      answer = ofProvider
    } else if let told = try Self.claims(idToken, accessToken: accessToken) {
      claims = told.claims
      restsOnAccessToken = told.isOfAccessToken
      answer = nil
    } else {
      let token = try Self.meaningless(idToken, accessToken: accessToken, providerId: providerId)
      if providerId == "twitter.com", tokenSecret == nil {
        throw APIError(
          .invalidCredentialOrProviderId,
          detail: "Invalid IdP response/credential: \(requestURI)?\(postBody ?? "")")
      }
      let made = ProviderAnswer(accessToken: token, of: providerId)
      claims = made.claims
      restsOnAccessToken = true
      answer = made
    }
    assertion = try inputs["SAMLResponse"].map(Self.assertion)
    assertionText = inputs["SAMLResponse"]
  }

  /// Later sources win; within one, the first value counts.
  static func inputs(
    of url: WebURL, postBody: String?, pendingToken: String?
  ) -> [String: String] {
    var inputs: [String: String] = [:]
    let pending = Self.inputs(ofPendingToken: pendingToken)
    for source in [pending, url.query, postBody, url.fragment] {
      for (name, value) in firstValues(source ?? "") { inputs[name] = value }
    }
    return inputs
  }

  // MARK: Pending tokens

  /// What a client can present later in place of all this, to link it once it has signed in.
  ///
  /// It need not be secret or signed: every `id_token` is taken at its word.
  var pendingToken: String {
    var inputs = [FormFields.Pair(name: "providerId", value: providerId)]
    for (name, value) in [
      ("id_token", idToken), ("access_token", accessToken), ("oauth_token_secret", tokenSecret),
      ("SAMLResponse", assertionText), (VerifiedAssertion.ticketField, assertionTicket),
    ] {
      if let value { inputs.append(FormFields.Pair(name: name, value: value)) }
    }
    return Base64.encodeURL(Array(FormFields(inputs).text.utf8))
  }

  /// Nil for a token that is not ours: the official emulator ignores them all.
  private static func inputs(ofPendingToken token: String?) -> String? {
    guard let bytes = token.nonEmpty.flatMap(Base64.decode),
      let text = String(validating: bytes, as: UTF8.self), text.hasPrefix("providerId=")
    else { return nil }
    return text
  }

  /// The URI with all inputs in its query: each stays where it came first.
  private static func merged(_ url: WebURL, postBody: String?) -> String {
    var query = FormFields(parsing: url.query ?? "")
    for pair in [postBody, url.fragment].flatMap({ FormFields(parsing: $0 ?? "").uniquePairs }) {
      query.set(pair)
    }
    return url.serializedBeforeQuery + (query.pairs.isEmpty ? "" : "?\(query.text)")
  }

  private static func firstValues(_ text: String) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: FormFields(parsing: text).uniquePairs.map { ($0.name, $0.value) })
  }

  // MARK: Claims

  /// What the tokens say themselves.
  private static func claims(
    _ idToken: String?, accessToken: String?
  ) throws(APIError) -> (claims: JSONObject, isOfAccessToken: Bool)? {
    if let claims = try parse(idToken) { return (claims, false) }
    return try parse(accessToken).map { ($0, true) }
  }

  /// What counts as a provider, and has operations of its own.
  private static let withoutAccessTokens: Set<String> = ["gc.apple.com", "password", "phone"]

  /// An access token that says nothing itself: only its provider knows whose it is.
  ///
  /// - Throws: where there is none, or the provider is not asked that way.
  private static func meaningless(
    _ idToken: String?, accessToken: String?, providerId: String
  ) throws(APIError) -> String {
    if let idToken {
      throw APIError(
        .invalidIdpResponse,
        detail:
          "Unable to parse id_token: \(idToken) ((Auth Emulator only accepts strict JSON or JWTs as "
          + "fake id_tokens.))")
    }
    guard let accessToken else {
      throw .notImplemented(
        "The Auth Emulator only supports sign-in with credentials (id_token required).")
    }
    if providerId == "apple.com" {
      throw .notImplemented(
        "The Auth Emulator only support sign-in with \(providerId) using id_token, not "
          + "access_token. Please update your code to use id_token.")
    }
    if providerId.hasPrefix("saml.") || withoutAccessTokens.contains(providerId) {
      throw .notImplemented(
        "The Auth Emulator does not support \(providerId) sign-in with credentials.")
    }
    return accessToken
  }

  /// `{"name":{"firstName":"Ada","lastName":"Otter"}}`
  private static func name(ofAppleUser text: String?) -> String? {
    let name = text.flatMap { try? JSON.parse($0) }?["name"]
    let parts = [name?["firstName"], name?["lastName"]].compactMap { $0?.string.nonEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Nil when the text holds no claims.
  private static func parse(_ text: String?) throws(APIError) -> JSONObject? {
    guard let text else { return nil }
    let claims: JSONObject
    if text.hasPrefix("{") {
      guard case .object(let object)? = try? JSON.parse(text) else {
        throw APIError(
          .invalidIdpResponse,
          detail:
            "Unable to parse id_token: \(text) ((Auth Emulator failed to parse fake id_token as "
            + "strict JSON.))")
      }
      claims = object
    } else {
      guard let jwt = JWT(text) else { return nil }
      claims = jwt.claims
    }
    guard let subject = claims["sub"], subject.isTruthy else {
      throw APIError(
        .invalidIdpResponse,
        detail:
          "Invalid Idp Response: id_token missing required fields. ((Missing \"sub\" field. This "
          + "field is required and must be a unique identifier.))")
    }
    guard subject.string != nil else {
      throw APIError(.invalidIdpResponse, detail: "((The \"sub\" field must be a string.))")
    }
    for name in ["email", "name", "screen_name", "picture", "given_name", "family_name"] {
      guard let claim = claims[name], !claim.isNull, claim.string == nil else { continue }
      throw APIError(.invalidIdpResponse, detail: "((The \"\(name)\" field must be a string.))")
    }
    return claims
  }

  private static func assertion(_ text: String) throws(APIError) -> JSON {
    guard let response = try? JSON.parse(text) else {
      throw APIError(.invalidIdpResponse, detail: "((SAMLResponse is not JSON.))")
    }
    guard let assertion = response["assertion"], assertion.isTruthy else {
      throw saml("assertion")
    }
    guard let subject = assertion["subject"], subject.isTruthy else {
      throw saml("assertion.subject")
    }
    guard (subject["nameId"]?.string).isGiven else { throw saml("assertion.subject.nameId") }
    return assertion
  }

  private static func saml(_ member: String) -> APIError {
    APIError(
      .invalidIdpResponse,
      message: "INVALID_IDP_RESPONSE ((Missing \(member) in SAMLResponse.))")
  }
}
