import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Signs in with e-mail and password.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithPassword
enum SignInWithPassword: Operation {
  struct Request: OperationRequest {
    let email: String?
    let password: String?
    let idToken: String?
    let pendingIdToken: String?
    let returnsSecureToken: Bool

    init(_ wire: WireRequest) {
      email = wire.string("email")
      password = wire.string("password")
      idToken = wire.string("idToken")
      pendingIdToken = wire.string("pendingIdToken")
      returnsSecureToken = wire.bool("returnSecureToken") == true
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard try project.allows(.password) else { throw APIError(.passwordLoginDisabled) }
    guard let given = request.email else { throw APIError(.missingEmail) }
    guard let email = Email(given) else { throw APIError(.invalidEmail) }
    guard let password = request.password.nonEmpty else {
      throw APIError(.missingPassword)
    }
    try refuseUnsupported(request)
    try Attempts(in: project).requireAttemptsLeft(
      .wrongPassword, account: email.text, context: context)
    let hasSession = try Sessions(in: project).beginsSession(request.returnsSecureToken)
    let user = try candidate(email, password: password, project: project, context: context)
    guard let stored = user.password, let foreign = stored.foreign else {
      return try check(
        user, isRight: user.password?.matches(password) == true, password: password,
        hasSession: hasSession, project: project, context: context)
    }
    // An imported hash may take long on purpose.
    let pool = project.server.hashing
    return .away { () async throws(APIError) -> Outcome.Resumption in
      let isRight = try await pool.run {
        foreign.matches(password, hash: stored.hash, salt: stored.salt)
      }
      return { (project, context) throws(APIError) -> Outcome in
        // Others have tried meanwhile.
        try Attempts(in: project).requireAttemptsLeft(
          .wrongPassword, account: email.text, context: context)
        var user = try candidate(email, password: password, project: project, context: context)
        if isRight && user.password == stored {
          user.password = PasswordHash(
            hashing: password, context.random, keepsReadable: project.keepsReadablePasswords)
        }
        return try check(
          user, isRight: isRight, password: password, hasSession: hasSession, project: project,
          context: context)
      }
    }
  }

  private static func refuseUnsupported(_ request: Request) throws(APIError) {
    for (field, value) in [
      ("idToken", request.idToken), ("pendingIdToken", request.pendingIdToken),
    ] where value.isGiven {
      throw .notImplemented("\(field) is no longer in use and unsupported by the Auth Emulator.")
    }
  }

  /// With enumeration protection, an unknown address and a wrong password look alike, but a
  /// disabled account shows all the same, and before the password is looked at.
  private static func candidate(
    _ email: Email, password: String, project: ProjectTransaction, context: Context
  ) throws(APIError) -> User {
    guard let user = try Accounts(in: project).user(email: email) else {
      let isPrivate = try project.settings().hasEmailPrivacy
      if isPrivate {
        // As long as for an account that is there: one is read, and a password is hashed.
        _ = try Accounts(in: project).users(after: "", limit: 1)
        _ = PasswordHash(hashing: password, context.random)
      }
      try Attempts(in: project).countAttempt(.wrongPassword, account: email.text, context: context)
      throw APIError(isPrivate ? .invalidLoginCredentials : .emailNotFound).keepingWrites
    }
    if user.isDisabled { throw APIError(.userDisabled) }
    return user
  }

  private static func check(
    _ user: User, isRight: Bool, password: String, hasSession: Bool,
    project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard isRight else {
      try Attempts(in: project).countAttempt(
        .wrongPassword, account: user.email?.text ?? "", context: context)
      let isPrivate = try project.settings().hasEmailPrivacy
      throw APIError(isPrivate ? .invalidLoginCredentials : .invalidPassword).keepingWrites
    }
    try Attempts(in: project).forgetAttempts(.wrongPassword, account: user.email?.text ?? "")
    let policies = PasswordPolicies(in: project)
    let policy = try policies.current()
    if policy.forcesUpgradeOnSignIn {
      try policies.checkRequirements(password, policy: policy)
    }
    let notifications = try policies.notifications(on: password, policy: policy)

    var user = user
    if try Sessions(in: project).asksForSecondFactor(user) {
      var pending = try members(of: user, project)
      pending.merge(
        Sessions(in: project).pendingSecondFactor(
          user, signInProvider: "password", context: context))
      return .json(pending)
    }
    user.lastLoginAt = .milliseconds(of: context.now)
    return try BlockingFunctions(in: project).signingIn(
      user, facts: BlockingFacts(signInMethod: "password"), context: context
    ) {
      user, signIn, project, context throws(APIError) in
      var user = user
      var answer = try members(of: user, project)
      if let notifications { answer.append("userNotifications", value: notifications) }
      guard hasSession else {
        try Accounts(in: project).save(&user)
        return .answer(
          Answer(
            answer, legacyTokenOf: user, provider: "password",
            extraClaims: signIn.extraClaims, project: project, context: context))
      }
      let tokens = try Sessions(in: project).issueTokens(
        for: &user, signIn: signIn, context: context)
      return .answer(Answer(answer, tokens: tokens))
    }
  }

  private static func members(
    of user: User, _ project: ProjectTransaction
  ) throws(APIError) -> JSONObject {
    var members = JSONObject([
      "kind": "identitytoolkit#VerifyPasswordResponse",
      "registered": true,
      "localId": .string(user.localId),
      "email": user.email.json,
    ])
    switch try project.answers {
    case .emulator: break
    case .production:
      members.append("displayName", value: .string(user.displayName ?? ""))
      if let url = user.photoUrl { members.append("profilePicture", value: .string(url)) }
    }
    return members
  }
}
