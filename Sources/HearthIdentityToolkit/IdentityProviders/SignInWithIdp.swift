import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Signs in with an account at an identity provider, or links it to the account of an ID token.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithIdp
///
/// Any provider is taken at its word: `id_token` is JSON or a JWT of which nothing is verified, unless
/// providers are strict and the keys of issuers are configured.
enum SignInWithIdp: Operation {
  struct Request: OperationRequest {
    /// The first field that is not implemented and is set.
    let unsupportedField: String?
    let requestUri: String?
    let postBody: String?
    let pendingToken: String?
    let idToken: String?
    /// Whether a conflict is an answer, with the provider's data in it.
    let returnsIdpCredential: Bool

    init(_ wire: WireRequest) {
      unsupportedField = ["returnRefreshToken", "pendingIdToken"].first {
        wire.body[$0]?.isTruthy == true
      }
      requestUri = wire.string("requestUri").nonEmpty
      postBody = wire.string("postBody")
      pendingToken = wire.string("pendingToken")
      idToken = wire.string("idToken").nonEmpty
      returnsIdpCredential = wire.bool("returnIdpCredential") == true
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if let field = request.unsupportedField {
      throw .notImplemented("\(field) is not implemented yet.")
    }
    let token = VerifiedIdToken(request)
    guard try project.verifiesIdTokens, token.isNeeded else {
      return try finish(request, project, context)
    }
    let (keys, times) = (project.server.idpKeys, [context.now, project.server.clock.now])
    return .away { () async throws(APIError) -> Outcome.Resumption in
      let claims = try await token.claims(keys, at: times)
      return { (project, context) throws(APIError) -> Outcome in
        try token.check(claims, project)
        return try finish(request, project, context)
      }
    }
  }

  private static func finish(
    _ request: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let isProduction = try project.answersAsProduction
    if isProduction { try ProductionOidc.check(request, project, context) }
    let credential = try IdpCredential(
      requestURI: request.requestUri, postBody: request.postBody,
      pendingToken: request.pendingToken)
    try project.requireProviderEnabled(credential.providerId)
    let profile = try IdpProfile(credential, isProduction: isProduction)
    do throws(APIError) {
      return request.idToken != nil
        ? try link(profile, project, context)
        : try signIn(profile, project, context)
    } catch {
      let isConflict = error.code == .federatedUserIdAlreadyLinked || error.code == .emailExists
      guard isConflict, request.returnsIdpCredential else { throw error }
      var answer = profile.conflictAnswer
      answer.append("errorMessage", .string(error.message))
      return .json(answer)
    }
  }

  // MARK: Linking

  private static func link(
    _ profile: IdpProfile, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    var user = try project.userOfToken(context).user
    if try project.user(providerId: profile.providerId, rawId: profile.rawId) != nil {
      throw APIError(.federatedUserIdAlreadyLinked)
    }
    if try !project.settings().allowsDuplicateEmails, let email = profile.accountEmail {
      if let owner = try project.user(email: email), owner.localId != user.localId {
        throw APIError(.emailExists)
      }
      if user.email == nil {
        user.email = email
        user.emailVerified = AccountFlag(profile.isEmailVerified)
      }
    }
    if profile.isEmailVerified, user.email != nil, user.email == profile.accountEmail {
      user.emailVerified = true
    }
    user.link(profile.provider)
    return try finish(user, profile, isNew: false, project, context)
  }

  // MARK: Signing in

  private static func signIn(
    _ profile: IdpProfile, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    // 1. The account is known.
    if var user = try project.user(providerId: profile.providerId, rawId: profile.rawId) {
      user.link(profile.provider)
      return try finish(user, profile, isNew: false, project, context)
    }
    let isUnique = try !project.settings().allowsDuplicateEmails
    if isUnique, let email = profile.accountEmail, let owner = try project.user(email: email) {
      // 2. Its address is a user's, and the provider vouches for it; 3. or does not.
      return profile.isEmailVerified
        ? try merge(profile, into: owner, project, context)
        : .json(confirmation(profile, owner))
    }
    // 4. It is new.
    var user = User.new(context.random.alphanumeric(28), tenantId: project.tenantId, context)
    if try project.answersAsProduction { user.validSince = .seconds(of: context.now) }
    profile.copy(to: &user)
    // Observed: without an address, the answer has no `emailVerified`, even with SAML.
    if isUnique, let email = profile.accountEmail {
      user.email = email
      user.emailVerified = AccountFlag(profile.isEmailVerified)
    }
    user.link(profile.provider)
    return try finish(user, profile, isNew: true, project, context)
  }

  /// A person who never proved the address may not stay in the account: password, number and older
  /// tokens go.
  private static func merge(
    _ profile: IdpProfile, into owner: User, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    var user = owner
    let isRecycled = user.provider(profile.providerId) != nil
    profile.copy(to: &user)
    if user.emailVerified != true {
      user.strandedSalt = user.password?.salt
      user.password = nil
      user.phoneNumber = nil
      user.validSince = .seconds(of: context.now)
      try project.revokeRefreshTokens(of: user, issuedUntil: context.now.seconds)
    }
    user.emailVerified = true
    user.link(profile.provider)
    return try finish(user, profile, isNew: false, isRecycled: isRecycled, project, context)
  }

  private static func confirmation(_ profile: IdpProfile, _ owner: User) -> JSONObject {
    var answer = profile.conflictAnswer
    answer.append("needConfirmation", true)
    answer.append("localId", .string(owner.localId))
    if let providers = owner.providerUserInfo {
      let verified = providers.map(\.providerId).filter { $0 != "password" && $0 != "phone" }
      answer.append("verifiedProvider", .strings(verified))
    }
    return answer
  }

  private static func finish(
    _ user: User, _ profile: IdpProfile, isNew: Bool, isRecycled: Bool = false,
    _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    var user = user
    let members: @Sendable (User) -> JSONObject = { user in
      profile.answer(for: user, isNew: isNew, isRecycled: isRecycled)
    }
    if !isNew, try project.asksForSecondFactor(user) {
      try project.save(&user)
      var pending = members(user)
      pending.merge(
        project.pendingSecondFactor(user, signInProvider: profile.providerId, context))
      return .json(pending)
    }
    if user.isDisabled {
      try project.save(&user)
      throw APIError(.userDisabled).keepingWrites
    }
    user.lastLoginAt = .milliseconds(of: context.now)
    let finish: ProjectTransaction.Finish = {
      user, signIn, project, context throws(APIError) in
      var user = user
      let tokens = try project.issueTokens(for: &user, signIn, context)
      return .answer(Answer(members(user), tokens: tokens))
    }
    return isNew
      ? try project.signingUp(user, profile.facts, context, finish: finish)
      : try project.signingIn(user, profile.facts, context, finish: finish)
  }
}
