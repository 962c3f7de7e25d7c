import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// Signs in with an account at an identity provider, or links it to the account of an ID token.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithIdp
///
/// Any provider is taken at its word: `id_token` is JSON or a JWT of which nothing is verified, unless
/// providers are strict and the keys of issuers are configured. An access token is JSON or a JWT too,
/// or any text: the person is made from it. Strict providers refuse all access tokens.
enum SignInWithIdp: Operation {
  struct Request: OperationRequest {
    /// The first field that is not implemented and is set.
    let unsupportedField: String?
    let requestUri: String?
    var postBody: String?
    let pendingToken: String?
    let idToken: String?
    /// Whether a conflict is an answer, with the provider's data in it.
    let returnsIdpCredential: Bool
    let sessionId: String?
    /// What a provider here gave beside the access token, for blocking functions.
    var oauthRefreshToken: String?
    /// What a provider of SAML has said, after it was verified.
    var assertion: VerifiedAssertion?

    init(_ wire: WireRequest) {
      unsupportedField = ["returnRefreshToken", "pendingIdToken"].first {
        wire.body[$0]?.isTruthy == true
      }
      requestUri = wire.string("requestUri").nonEmpty
      postBody = wire.string("postBody")
      pendingToken = wire.string("pendingToken")
      idToken = wire.string("idToken").nonEmpty
      returnsIdpCredential = wire.bool("returnIdpCredential") == true
      sessionId = wire.string("sessionId").nonEmpty
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if let field = request.unsupportedField {
      throw .notImplemented("\(field) is not implemented yet.")
    }
    let local = LocalSignIn(request, in: project, context: context)
    if let keys = try local.keysNeeded() {
      return .away { () async throws(APIError) -> Outcome.Resumption in
        do { _ = try await keys.current() } catch {
          throw APIError(.internalError, detail: "\(error)")
        }
        return { (project, context) throws(APIError) in
          try run(request, in: project, context: context)
        }
      }
    }
    return try verify(try local.completed(request), project: project, context: context)
  }

  /// Has the provider's token verified, where providers are strict.
  private static func verify(
    _ request: Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let token = VerifiedIdToken(request)
    if try project.switches().strictProviders,
      try LocalSignIn(request, in: project, context: context).checkIdToken()
    {
      return try finish(request, project: project, context: context)
    }
    guard try IdpConfigs(in: project).verifiesIdTokens, token.isNeeded else {
      return try finish(request, project: project, context: context)
    }
    let (keys, times) = (project.server.idpKeys, [context.now, project.server.clock.now])
    return .away { () async throws(APIError) -> Outcome.Resumption in
      let claims = try await token.claims(keys, at: times)
      return { (project, context) throws(APIError) -> Outcome in
        try token.check(claims, project: project)
        return try finish(request, project: project, context: context)
      }
    }
  }

  private static func finish(
    _ request: Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let answers = try project.answers
    // A nonce is used up by a refusal too.
    let usesUpNonce: Bool
    switch answers {
    case .emulator: usesUpNonce = false
    case .production:
      try ProviderToken.check(request, project: project, context: context)
      usesUpNonce = true
    }
    let answer = try LocalSignIn(request, in: project, context: context).answer()
    let credential = try IdpCredential(
      requestURI: request.requestUri, postBody: request.postBody,
      pendingToken: request.pendingToken, answer: answer,
      refreshToken: request.oauthRefreshToken, assertion: request.assertion)
    try IdpConfigs(in: project).requireProviderEnabled(credential.providerId)
    if credential.restsOnAccessToken, try project.switches().strictProviders {
      throw ProviderApi.refusal(ofTokenFor: credential.providerId)
    }
    let profile = try IdpProfile(credential, as: answers)
    do throws(APIError) {
      return request.idToken != nil
        ? try link(profile, project: project, context: context)
        : try signIn(profile, project: project, context: context)
    } catch {
      let conflicts: [ErrorCode] = [
        .federatedUserIdAlreadyLinked, .emailExists, .providerAlreadyLinked,
      ]
      guard conflicts.contains(error.code) else { throw error }
      guard request.returnsIdpCredential else { throw usesUpNonce ? error.keepingWrites : error }
      var answer = profile.conflictAnswer
      answer.append("errorMessage", value: .string(error.message))
      return .json(answer)
    }
  }

  // MARK: Linking

  private static func link(
    _ profile: IdpProfile, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    var user = try Sessions(in: project).userOfToken(context).user
    if try Accounts(in: project).user(providerId: profile.providerId, rawId: profile.rawId) != nil {
      throw APIError(.federatedUserIdAlreadyLinked)
    }
    if try !project.settings().allowsDuplicateEmails, let email = profile.accountEmail {
      if let owner = try Accounts(in: project).user(email: email), owner.localId != user.localId {
        throw APIError(.emailExists)
      }
      if user.email == nil {
        user.email = email
        user.emailVerified = AccountFlag(profile.isEmailVerified)
      }
    }
    switch try project.answers {
    case .emulator: break
    case .production:
      guard user.provider(profile.providerId) == nil else {
        throw APIError(.providerAlreadyLinked)
      }
    }
    if profile.isEmailVerified, user.email != nil, user.email == profile.accountEmail {
      user.emailVerified = true
    }
    profile.link(to: &user)
    return try finish(user, profile: profile, isNew: false, project: project, context: context)
  }

  // MARK: Signing in

  private static func signIn(
    _ profile: IdpProfile, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    // 1. The account is known.
    if var user = try Accounts(in: project).user(
      providerId: profile.providerId, rawId: profile.rawId)
    {
      profile.link(to: &user)
      return try finish(user, profile: profile, isNew: false, project: project, context: context)
    }
    let isUnique = try !project.settings().allowsDuplicateEmails
    if isUnique, let email = profile.accountEmail,
      let owner = try Accounts(in: project).user(email: email)
    {
      // 2. Its address is a user's, and the provider vouches for it; 3. or does not.
      return profile.isEmailVerified
        ? try merge(profile, into: owner, project: project, context: context)
        : .json(confirmation(profile, owner: owner))
    }
    // 4. It is new.
    var user = try Accounts(in: project).newcomer(context.random.alphanumeric(28), context: context)
    profile.copy(to: &user)
    // Observed: without an address, the answer has no `emailVerified`, even with SAML.
    if isUnique, let email = profile.accountEmail {
      user.email = email
      user.emailVerified = AccountFlag(profile.isEmailVerified)
    }
    profile.link(to: &user)
    return try finish(user, profile: profile, isNew: true, project: project, context: context)
  }

  /// A person who never proved the address may not stay in the account: password, number and older
  /// tokens go.
  private static func merge(
    _ profile: IdpProfile, into owner: User, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    var user = owner
    let isRecycled = user.provider(profile.providerId) != nil
    profile.copy(to: &user)
    if user.emailVerified != true {
      user.strandedSalt = user.password?.salt
      user.password = nil
      user.phoneNumber = nil
      user.validSince = .seconds(of: context.now)
      try Sessions(in: project).revokeRefreshTokens(of: user, issuedUntil: context.now.seconds)
    }
    user.emailVerified = true
    profile.link(to: &user)
    return try finish(
      user, profile: profile, isNew: false, isRecycled: isRecycled, project: project,
      context: context)
  }

  private static func confirmation(_ profile: IdpProfile, owner: User) -> JSONObject {
    var answer = profile.conflictAnswer
    answer.append("needConfirmation", value: true)
    answer.append("localId", value: .string(owner.localId))
    if let providers = owner.providerUserInfo {
      let verified = providers.map(\.providerId).filter { $0 != "password" && $0 != "phone" }
      answer.append("verifiedProvider", value: .strings(verified))
    }
    return answer
  }

  private static func finish(
    _ user: User, profile: IdpProfile, isNew: Bool, isRecycled: Bool = false,
    project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    var user = user
    let members: @Sendable (User) -> JSONObject = { user in
      profile.answer(for: user, isNew: isNew, isRecycled: isRecycled)
    }
    if !isNew, try Sessions(in: project).asksForSecondFactor(user) {
      try Accounts(in: project).save(&user)
      var pending = members(user)
      pending.merge(
        Sessions(in: project).pendingSecondFactor(
          user, signInProvider: profile.providerId, context: context)
      )
      return .json(pending)
    }
    if user.isDisabled {
      try Accounts(in: project).save(&user)
      throw APIError(.userDisabled).keepingWrites
    }
    user.lastLoginAt = .milliseconds(of: context.now)
    let finish: BlockingFunctions.Finish = {
      user, signIn, project, context throws(APIError) in
      var user = user
      let tokens = try Sessions(in: project).issueTokens(
        for: &user, signIn: signIn, context: context)
      return .answer(Answer(members(user), tokens: tokens))
    }
    return isNew
      ? try BlockingFunctions(in: project).signingUp(
        user, facts: profile.facts, context: context, finish: finish)
      : try BlockingFunctions(in: project).signingIn(
        user, facts: profile.facts, context: context, finish: finish)
  }
}
