import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// A token with which a client sends a browser: RFC 5849, section 2.1.
enum RequestToken: OAuth1Operation {
  /// The address of a client that has none: its person types what the page shows.
  static let outOfBand = "oob"

  private static let lifetime: Int64 = 900

  static func reply(_ call: ProviderCall) throws -> Outcome {
    let request = try SignedRequest(call, method: "POST", endpoint: .requestToken, kind: nil)
    guard let callback = request["oauth_callback"] ?? call["oauth_callback"],
      callback == outOfBand || AuthorizationRequest.isAddress(callback),
      callback == outOfBand
        || call.settings.refusal(of: request.client, redirectURI: callback) == nil
    else { throw SignatureProblem.badCallback }
    let made = try make(
      client: request.client, callback: callback, provider: call.personality.name,
      in: call.grants, call.context)
    return OAuth1.answer([
      ("oauth_token", made.token), ("oauth_token_secret", made.secret),
      ("oauth_callback_confirmed", "true"),
    ])
  }

  static func make(
    client: String, callback: String, provider: String, in grants: Grants, _ context: Context
  ) throws(APIError) -> (token: String, secret: String) {
    let token = context.random.alphanumeric(27)
    let secret = context.random.alphanumeric(32)
    var grant = Grant(provider: provider, persona: "", client: client, scope: "", family: token)
    grant.redirectURI = callback
    grant.tokenSecret = secret
    try keep(grant, token: token, in: grants, context)
    return (token, secret)
  }

  static func keep(
    _ grant: Grant, token: String, in grants: Grants, _ context: Context
  ) throws(APIError) {
    try grants.keep(grant, as: .requestToken, text: token, seconds: lifetime, at: context.now)
  }

  /// The request that a token was given out for; nil for an unknown one.
  static func grant(
    _ token: String?, provider: String, in grants: Grants, _ context: Context
  ) throws(APIError) -> Grant? {
    guard let token,
      let grant = try grants.grant(token, kind: .requestToken, at: context.now)?.grant,
      grant.provider == provider
    else { return nil }
    return grant
  }
}

/// What the endpoints of OAuth 1.0a have in common.
enum OAuth1 {
  /// An answer as a form.
  static func answer(_ fields: [(String, String)]) -> Outcome {
    .answer(
      Answer(
        status: 200,
        body: .text(
          FormFields(fields.map { FormFields.Pair(name: $0.0, value: $0.1) }).text,
          contentType: "application/x-www-form-urlencoded; charset=utf-8"),
        headers: ProviderCall.uncached))
  }
}
