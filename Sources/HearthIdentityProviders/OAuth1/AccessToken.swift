import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// The token of somebody for a request token that they have allowed: RFC 5849, section 2.3.
enum AccessToken: OAuth1Operation {
  static func reply(_ call: ProviderCall) throws -> Outcome {
    let request = try SignedRequest(
      call, method: "POST", endpoint: .accessToken, kind: .requestToken)
    guard let made = try redeem(request.token, verifier: request["oauth_verifier"] ?? "", call)
    else { throw SignatureProblem.badToken }
    return OAuth1.answer([
      ("oauth_token", made.token), ("oauth_token_secret", made.secret),
      ("user_id", made.subject), ("screen_name", made.persona.login),
    ])
  }

  struct Made {
    let token: String
    let secret: String
    let subject: String
    let persona: Persona
  }

  /// Nil where nobody has allowed it, or the verifier is another one.
  static func redeem(
    _ token: String, verifier: String, _ call: ProviderCall
  ) throws(APIError) -> Made? {
    guard
      var grant = try RequestToken.grant(
        token, provider: call.personality.name, in: call.grants, call.context),
      let wanted = grant.note, ConstantTime.equal(verifier, wanted),
      let persona = try call.personas.persona(grant.persona), !persona.isDisabled
    else { return nil }
    try call.grants.forget(token, kind: .requestToken)
    let random = call.context.random
    let subject = TokenMint(call).claiming(grant, persona: persona).subject
    let made = Made(
      token: "\(subject)-\(random.alphanumeric(40))", secret: random.alphanumeric(45),
      subject: subject, persona: persona)
    grant.note = nil
    grant.redirectURI = nil
    grant.tokenSecret = made.secret
    grant.isOfOAuth1 = true
    try call.grants.keep(
      grant, as: .access, text: made.token, seconds: Grants.never, at: call.context.now)
    return made
  }
}
