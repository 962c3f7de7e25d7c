package import HearthErrors
package import HearthOperations
import HearthTime
package import HearthTokens
package import HearthWire

/// What Firebase's side of a sign-in asks the identity providers that live here.
package struct LocalProviders: ProjectSubject {
  package let project: ProjectTransaction

  package init(in project: ProjectTransaction) { self.project = project }

  /// What a provider gave for a code.
  package struct Redeemed: Sendable {
    package let accessToken: String
    package let refreshToken: String?
    package let idToken: String?
  }

  /// Whose an access token is.
  package struct Holder: Sendable {
    /// In the words of an ID token.
    package let claims: JSONObject
    /// In the provider's own words; nil where they are the claims.
    package let profile: JSONObject?
    package let subject: String
    /// What has to be shown beside the token; nil for nothing.
    package let tokenSecret: String?
    /// Seconds until the token ends; nil for one that does not.
    package let expiresIn: Int64?
  }

  // MARK: Access tokens

  /// Nil for a token that none of the providers here has given out, or that counts no more.
  package func holder(
    ofAccessToken text: String, providerId: String, context: Context
  ) throws(APIError) -> Holder? {
    guard let found = try Grants(in: project).grant(text, kind: .access, at: context.now),
      Self.fits(found.grant.provider, providerId: providerId),
      let persona = try Personas(in: project).persona(found.grant.persona)
    else { return nil }
    let call = try call(found.grant.provider, context: context)
    let claiming = TokenMint(call).claiming(found.grant, persona: persona)
    var claims = persona.claims(for: claiming)
    claims["sub"] = .string(claiming.subject)
    claims["name"] = .string(persona.displayName)
    if ["github.com", "twitter.com"].contains(providerId) {
      claims["screen_name"] = .string(persona.login)
    }
    let sharesEmail = providerId != "twitter.com" && !persona.hidesEmail
    claims["email"] = sharesEmail ? persona.email.json : nil
    claims["email_verified"] = .bool(
      persona.isEmailVerified && Self.isTrusted(providerId, email: persona.email ?? ""))
    claims["picture"] = persona.picture.json
    var profile = (call.personality.signedProfile ?? call.personality.profile)?(persona, claiming)
    if providerId == "facebook.com" {
      claims["picture"] = .string("https://graph.facebook.com/\(claiming.subject)/picture")
      profile?["granted_scopes"] = .strings(found.grant.scopes.subtracting(["openid"]).sorted())
    }
    let isEndless = call.personality.accessTokenLifetime == nil || found.grant.tokenSecret != nil
    return Holder(
      claims: claims, profile: profile, subject: claiming.subject,
      tokenSecret: found.grant.tokenSecret,
      expiresIn: isEndless ? nil : found.expires - context.now.seconds)
  }

  /// Whose word makes an address a verified one. Two are believed for the addresses that they give out.
  private static func isTrusted(_ providerId: String, email: String) -> Bool {
    let domain = email.split(separator: "@").last?.lowercased() ?? ""
    return switch providerId {
    case "facebook.com", "github.com", "linkedin.com", "twitter.com": false
    case "microsoft.com": ["outlook.com", "hotmail.com"].contains(domain)
    case "yahoo.com": domain == "yahoo.com"
    default: true
    }
  }

  /// Providers that a project configures itself may be any of those here.
  private static func fits(_ provider: String, providerId: String) -> Bool {
    providerId.hasPrefix("oidc.") || Personality.of(providerId: providerId)?.name == provider
  }

  // MARK: Codes

  /// The keys that have to be there before a code of the call can be redeemed; nil for none.
  package func keysNeeded(
    forCode code: String, context: Context
  ) throws(APIError) -> KeySet? {
    guard let grant = try Grants(in: project).grant(code, kind: .code, at: context.now)?.grant
    else { return nil }
    let keys = try ProviderSettingsStore(in: project).keys(of: grant.provider)
    return keys.currentIfReady() == nil ? keys : nil
  }

  /// Redeems a code as the client itself would; nil for a code that is not of a provider here. Where
  /// providers are strict it has to be one, and the project's client has to have asked for it.
  ///
  /// - Throws: `INVALID_IDP_RESPONSE` for one that was used, or is of another provider or client.
  package func redeem(
    code: String, providerId: String, client: String?, context: Context
  ) throws(APIError) -> Redeemed? {
    let isStrict = try project.switches().strictProviders
    guard let known = try Grants(in: project).grant(code, kind: .code, at: context.now)?.grant
    else {
      if isStrict { throw Self.refusal(.invalidGrant) }
      return nil
    }
    guard Self.fits(known.provider, providerId: providerId) else {
      throw APIError(
        .invalidIdpResponse,
        detail: "The code is one of \(known.provider), and not of \(providerId).")
    }
    do {
      let call = try call(known.provider, context: context)
      let grant = try Token.grant(ofCode: code, call, client: isStrict ? client : nil)
      let made = try Token.make(for: grant, call, withRefreshToken: true)
      return Redeemed(
        accessToken: made.accessToken, refreshToken: made.refreshToken, idToken: made.idToken)
    } catch let error as APIError {
      throw error
    } catch let problem as OAuthProblem {
      throw Self.refusal(problem.code).keepingWrites
    } catch {
      throw APIError(.internalError, detail: "\(error)")
    }
  }

  /// That the provider's token endpoint has refused a code.
  private static func refusal(_ error: OAuthProblem.Code) -> APIError {
    APIError(
      .invalidIdpResponse,
      detail: "Failed to fetch resource, http status: 400, http response: "
        + "{\"error\":\"\(error.rawValue)\"}")
  }

  /// Redeems the verifier that X's page has sent back; nil for a token that is not of a provider here.
  ///
  /// - Throws: `INVALID_IDP_RESPONSE` for another verifier.
  package func redeem(
    requestToken: String, verifier: String, context: Context
  ) throws(APIError) -> (token: String, secret: String)? {
    let call = try call("x", context: context)
    guard
      try RequestToken.grant(requestToken, provider: "x", in: call.grants, context) != nil
    else { return nil }
    guard let made = try AccessToken.redeem(requestToken, verifier: verifier, call) else {
      throw APIError(
        .invalidIdpResponse, detail: "Failed to fetch the access token: the verifier is wrong.")
    }
    return (made.token, made.secret)
  }

  private func call(_ provider: String, context: Context) throws(APIError) -> ProviderCall {
    let other = projectId == server.defaultProject ? nil : projectId
    var path = ["provider": provider]
    path["targetProjectId"] = other
    return try ProviderCall(WireRequest(path: path), in: project, context: context)
  }

  // MARK: Revocation

  /// Takes back what a provider here has given out, as Firebase has it do for an app. Nothing happens
  /// for a text that none of them knows.
  package func revoke(
    _ text: String, kind: Grant.Kind, providerId: String, context: Context
  ) throws(APIError) {
    guard let grant = try Grants(in: project).grant(text, kind: kind, at: context.now)?.grant,
      Self.fits(grant.provider, providerId: providerId)
    else { return }
    try call(grant.provider, context: context).revoke(grant)
  }

  // MARK: ID tokens

  package enum Judgement: Sendable {
    /// Nobody here claims to have signed it.
    case foreign
    case ours(JSONObject)
    case refused(String)
  }

  /// Whether a provider here has signed a token. One that says so has to be right.
  package func judge(
    idToken text: String, providerId: String, context: Context
  ) -> Judgement {
    guard let jwt = JWT(text) else { return .foreign }
    let issuer = jwt.claims["iss"]?.string ?? ""
    let names = Personality.all.map(\.name).filter { Self.fits($0, providerId: providerId) }
    let isClaimed =
      issuer.hasPrefix(context.baseURL + "/idp/")
      || names.contains { name in
        server.providerKeys.known(of: name).contains { $0.id == jwt.keyID }
      }
    guard isClaimed else { return .foreign }
    guard names.contains(where: { server.providerKeys.verified(text, of: $0) != nil }) else {
      return .refused("Unable to verify the ID Token signature.")
    }
    guard let expiry = jwt.claims["exp"]?.integer, expiry > context.now.seconds else {
      return .refused("ID Token is stale to sign-in: it has expired.")
    }
    return .ours(jwt.claims)
  }
}
