import HearthErrors
import HearthTokens
import HearthWire

/// What a provider handed to the client, collected from `requestUri` and `postBody`.
struct IdpCredential: Sendable {
  let providerId: String
  let claims: JSONObject
  let idToken: String?
  let accessToken: String?
  let assertion: JSON?
  private let assertionText: String?

  init(
    requestURI: String?, postBody: String?, pendingToken: String?
  ) throws(APIError) {
    guard let requestURI else {
      throw APIError(.missingRequestURI)
    }
    guard let url = WebURL(requestURI) else { throw APIError(.invalidRequestURI) }
    let inputs = Self.inputs(of: url, postBody, pendingToken)
    guard let provider = inputs["providerId"].nonEmpty else {
      let merged = Self.merged(url, postBody)
      throw APIError(
        .invalidCredentialOrProviderId, "Invalid IdP response/credential: \(merged)")
    }
    providerId = provider.lowercased()
    idToken = inputs["id_token"].nonEmpty
    accessToken = inputs["access_token"].nonEmpty
    claims = try Self.claims(idToken, accessToken, providerId)
    assertion = try inputs["SAMLResponse"].map(Self.assertion)
    assertionText = inputs["SAMLResponse"]
  }

  /// Later sources win; within one, the first value counts.
  static func inputs(
    of url: WebURL, _ postBody: String?, _ pendingToken: String?
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
      ("id_token", idToken), ("access_token", accessToken), ("SAMLResponse", assertionText),
    ] {
      if let value { inputs.append(FormFields.Pair(name: name, value: value)) }
    }
    return Base64.encodeURL(Array(FormFields(inputs).text.utf8))
  }

  /// Nil for a token that is none of ours: the official emulator ignores them all.
  private static func inputs(ofPendingToken token: String?) -> String? {
    guard let bytes = token.nonEmpty.flatMap(Base64.decode),
      let text = String(validating: bytes, as: UTF8.self), text.hasPrefix("providerId=")
    else { return nil }
    return text
  }

  /// The URI with all inputs in its query: each stays where it came first.
  private static func merged(_ url: WebURL, _ postBody: String?) -> String {
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

  private static func claims(
    _ idToken: String?, _ accessToken: String?, _ providerId: String
  ) throws(APIError) -> JSONObject {
    if let claims = try parse(idToken) { return claims }
    if let claims = try parse(accessToken) { return claims }
    if let idToken {
      throw APIError(
        .invalidIdpResponse,
        "Unable to parse id_token: \(idToken) ((Auth Emulator only accepts strict JSON or JWTs as "
          + "fake id_tokens.))")
    }
    guard accessToken != nil else {
      throw .notImplemented(
        "The Auth Emulator only supports sign-in with credentials (id_token required).")
    }
    throw .notImplemented(
      providerId == "google.com" || providerId == "apple.com"
        ? "The Auth Emulator only support sign-in with \(providerId) using id_token, not "
          + "access_token. Please update your code to use id_token."
        : "The Auth Emulator does not support \(providerId) sign-in with credentials.")
  }

  /// Nil when the text holds no claims.
  private static func parse(_ text: String?) throws(APIError) -> JSONObject? {
    guard let text else { return nil }
    let claims: JSONObject
    if text.hasPrefix("{") {
      guard case .object(let object)? = try? JSON.parse(text) else {
        throw APIError(
          .invalidIdpResponse,
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
        "Invalid Idp Response: id_token missing required fields. ((Missing \"sub\" field. This "
          + "field is required and must be a unique identifier.))")
    }
    guard subject.string != nil else {
      throw APIError(.invalidIdpResponse, "((The \"sub\" field must be a string.))")
    }
    for name in ["email", "name", "screen_name", "picture", "given_name", "family_name"] {
      guard let claim = claims[name], !claim.isNull, claim.string == nil else { continue }
      throw APIError(.invalidIdpResponse, "((The \"\(name)\" field must be a string.))")
    }
    return claims
  }

  private static func assertion(_ text: String) throws(APIError) -> JSON {
    guard let response = try? JSON.parse(text) else {
      throw APIError(.invalidIdpResponse, "((SAMLResponse is not JSON.))")
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
