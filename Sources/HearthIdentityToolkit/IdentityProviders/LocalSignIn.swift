import HearthCrypto
import HearthErrors
import HearthIdentityProviders
import HearthOperations
import HearthSAML
import HearthTokens
import HearthWire

/// The part of a sign-in that the identity providers here have to do: a code is redeemed, and what
/// came back under a `state` of ours is completed.
struct LocalSignIn {
  private let project: ProjectTransaction
  private let context: Context
  private let inputs: [String: String]
  private let nonce: ProviderNonce?

  init(_ request: SignInWithIdp.Request, in project: ProjectTransaction, context: Context) {
    self.project = project
    self.context = context
    let url = request.requestUri.flatMap { WebURL($0) }
    inputs =
      url.map {
        IdpCredential.inputs(of: $0, postBody: request.postBody, pendingToken: request.pendingToken)
      } ?? [:]
    let provider = inputs["providerId"]?.lowercased() ?? ""
    nonce = url.flatMap { ProviderNonce(request, url: $0, provider: provider) }
  }

  /// The keys that have to be made first; nil where they are there.
  func keysNeeded() throws(APIError) -> KeySet? {
    guard let code = inputs["code"].nonEmpty else { return nil }
    return try LocalProviders(in: project).keysNeeded(forCode: code, context: context)
  }

  /// The request as it would be if the client had redeemed the code itself.
  func completed(_ request: SignInWithIdp.Request) throws(APIError) -> SignInWithIdp.Request {
    let state = inputs["state"].nonEmpty ?? inputs["RelayState"].nonEmpty
    let visit = try state.flatMap { (state) throws(APIError) in
      try ProviderVisit.end(state: state, in: project, context: context)
    }
    if let visit, let sessionId = request.sessionId, !Self.isSame(sessionId, known: visit.sessionId)
    {
      throw APIError(
        .invalidIdpResponse, detail: "The sessionId is not the one with which the sign-in began.")
    }
    var added: [FormFields.Pair] = []
    var providerId = inputs["providerId"].nonEmpty
    if providerId == nil, let visit {
      providerId = visit.providerId
      added.append(.init(name: "providerId", value: visit.providerId))
    }
    if let nonce = visit?.rawNonce, inputs["nonce"] == nil {
      added.append(.init(name: "nonce", value: nonce))
    }
    var request = request
    if let code = inputs["code"].nonEmpty, let id = providerId?.lowercased(),
      inputs["id_token"] == nil, inputs["access_token"] == nil,
      let redeemed = try LocalProviders(in: project).redeem(
        code: code, providerId: id, client: VerifiedIdToken.clientId(of: id, in: project),
        context: context)
    {
      if let token = redeemed.idToken { added.append(.init(name: "id_token", value: token)) }
      added.append(.init(name: "access_token", value: redeemed.accessToken))
      request.oauthRefreshToken = redeemed.refreshToken
    }
    if let token = inputs["oauth_token"].nonEmpty, let verifier = inputs["oauth_verifier"].nonEmpty,
      providerId?.lowercased() == "twitter.com", inputs["access_token"] == nil,
      let made = try LocalProviders(in: project).redeem(
        requestToken: token, verifier: verifier, context: context)
    {
      added.append(.init(name: "access_token", value: made.token))
      added.append(.init(name: "oauth_token_secret", value: made.secret))
    }
    request.assertion = try assertion(of: providerId ?? "", visit, state)
    guard !added.isEmpty else { return request }
    let body = FormFields(parsing: request.postBody ?? "").pairs + added
    request.postBody = FormFields(body).text
    return request
  }

  /// What a provider of SAML has said; nil where it has not, or in the JSON of emulators.
  private func assertion(
    of providerId: String, _ visit: ProviderVisit?, _ state: String?
  ) throws(APIError) -> VerifiedAssertion? {
    let providerId = providerId.lowercased()
    guard providerId.hasPrefix("saml.") else { return nil }
    if let ticket = inputs[VerifiedAssertion.ticketField].nonEmpty {
      return try VerifiedAssertion(
        ticket: ticket, providerId: providerId, in: project, context: context)
    }
    guard let response = inputs["SAMLResponse"].nonEmpty, SAMLAssertion.isEncoded(response) else {
      // A project that wants proof takes nobody's word, and no ID token in place of a response:
      // SAML has none that could be verified.
      guard try project.switches().strictProviders else { return nil }
      try IdpConfigs(in: project).requireProviderEnabled(providerId)
      throw APIError(
        .invalidIdpResponse,
        detail: "Missing signature in Assertion and Response enclosing it (if present).")
    }
    let assertion = try VerifiedAssertion(
      response: response, providerId: providerId, visit: visit, in: project, context: context)
    if let state { try ProviderVisit.answered(state: state, in: project) }
    return assertion
  }

  /// Apps for iOS tell the hash of the id first, and the id itself in the end.
  private static func isSame(_ told: String, known: String) -> Bool {
    let hash = String(decoding: Digest.sha256.hash(Array(told.utf8)).hexDigits, as: UTF8.self)
    return ConstantTime.equal(told, known) || ConstantTime.equal(hash, known)
  }

  /// What a provider here says of the owner of the access token; nil for any other token, and where
  /// the secret is missing that belongs to it.
  ///
  /// - Throws: `INVALID_IDP_RESPONSE` for another secret.
  func answer() throws(APIError) -> ProviderAnswer? {
    guard let token = inputs["access_token"].nonEmpty,
      let providerId = inputs["providerId"]?.lowercased(), providerId != "apple.com",
      let holder = try LocalProviders(in: project).holder(
        ofAccessToken: token, providerId: providerId, context: context)
    else { return nil }
    if providerId == "twitter.com", let secret = holder.tokenSecret {
      guard let told = inputs["oauth_token_secret"].nonEmpty else { return nil }
      guard ConstantTime.equal(secret, told) else {
        throw ProviderApi.refusal(ofTokenFor: providerId)
      }
    }
    return ProviderAnswer(holder, of: providerId)
  }

  /// Refuses an ID token that claims to be of a provider here, and is not, where providers are
  /// strict.
  ///
  /// - Returns: whether the token is one of ours.
  func checkIdToken() throws(APIError) -> Bool {
    guard let token = inputs["id_token"].nonEmpty,
      let providerId = inputs["providerId"]?.lowercased()
    else { return false }
    switch LocalProviders(in: project).judge(
      idToken: token, providerId: providerId, context: context)
    {
    case .foreign: return false
    case .refused(let reason): throw APIError(.invalidIdpResponse, detail: reason)
    case .ours(let claims):
      try VerifiedIdToken.checkAudience(claims, of: providerId, in: project)
      try nonce?.check()
      return true
    }
  }
}

extension ProviderAnswer {
  /// The answer about somebody whom a provider here knows.
  init(_ holder: LocalProviders.Holder, of providerId: String) {
    let api = ProviderApi.known[providerId] ?? ProviderApi()
    self.init(
      claims: holder.claims, rawUserInfo: holder.profile.map(JSON.object),
      federatedId: api.federatedPrefix + holder.subject, expiresIn: holder.expiresIn)
  }
}
