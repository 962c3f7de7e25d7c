package import HearthErrors
package import HearthOperations
package import HearthWire

/// How `accounts:update` judges, changes and answers, where the two programs do it differently.
package protocol UpdateRules: Sendable {
  /// Whether the change is an administrator's, and no mail reports it.
  var isFinal: Bool { get }
  /// Whether the answer says what the new address is.
  var tellsNewEmail: Bool { get }
  /// Whether a removed address leaves the flag that it was verified.
  var keepsVerifiedFlag: Bool { get }

  /// Whether older sessions end for good when `validSince` moves.
  func endsSessions(changesSecrets: Bool) -> Bool
  /// Whether a code that the request has is redeemed.
  func takesCode(of request: Update.Request) -> Bool

  func checkClaims(of request: Update.Request, isAdmin: Bool) throws(APIError)
  /// What is looked at before the account.
  func checkFirst(
    _ request: Update.Request, in project: ProjectTransaction, context: Context
  ) throws(APIError)
  /// What is refused beside a user's token, although the token is right.
  func checkFieldsOfUser(_ request: Update.Request) throws(APIError)
  func checkEmailChange(in project: ProjectTransaction) throws(APIError)

  func factors(
    replacing known: [MfaEnrollment], with factors: [MfaEnrollment.Replacement], context: Context
  ) throws(APIError) -> [MfaEnrollment]
  /// Unlinks the provider `password`.
  func unlinkPassword(of user: inout User)
  func link(
    _ provider: ProviderUserInfo, to user: inout User, in project: ProjectTransaction
  ) throws(APIError)
  func redeem(
    _ oob: OobCode, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> AccountChange
  func answer(
    _ members: JSONObject, for user: User, tokens: TokenBlock?, in project: ProjectTransaction,
    context: Context
  ) -> Answer
}

extension OobCodes {
  /// The account that a code was made for, and that is still there; by its address where the code
  /// does not say.
  func owner(of oob: OobCode) throws(APIError) -> User? {
    if let localId = oob.localId { return try Accounts(in: project).user(localId: localId) }
    return oob.requestType == .recoverEmail
      ? try Accounts(in: project).user(initialEmail: oob.email)
      : try Accounts(in: project).user(email: oob.email)
  }
}

extension ProjectTransaction {
  func updateRules(
    returnsSecureToken: Bool = false, context: Context
  ) throws(APIError) -> any UpdateRules {
    let isAdmin = if case .admin = context.caller { true } else { false }
    return switch try answers {
    case .emulator: LooseUpdate()
    case .production: StrictUpdate(isAdmin: isAdmin, returnsSecureToken: returnsSecureToken)
    }
  }
}

/// As the official emulator does it.
struct LooseUpdate: UpdateRules {
  var isFinal: Bool { false }
  var tellsNewEmail: Bool { true }
  var keepsVerifiedFlag: Bool { false }

  func endsSessions(changesSecrets: Bool) -> Bool { true }

  func takesCode(of request: Update.Request) -> Bool { true }

  func checkClaims(of request: Update.Request, isAdmin: Bool) throws(APIError) {
    guard let claims = request.customAttributes else { return }
    guard isAdmin else { throw APIError(.insufficientPermission) }
    if !claims.isEmpty { try CustomClaims.check(claims) }
  }

  func checkFirst(_ request: Update.Request, in project: ProjectTransaction, context: Context) {}

  func checkFieldsOfUser(_ request: Update.Request) {}

  func checkEmailChange(in project: ProjectTransaction) {}

  func factors(
    replacing known: [MfaEnrollment], with factors: [MfaEnrollment.Replacement], context: Context
  ) throws(APIError) -> [MfaEnrollment] {
    try MfaEnrollment.replacing(known, with: factors)
  }

  func unlinkPassword(of user: inout User) {
    user.deleteEmail(keepsFlag: false)
    user.deletePassword()
  }

  func link(
    _ provider: ProviderUserInfo, to user: inout User, in project: ProjectTransaction
  ) throws(APIError) {
    guard !provider.providerId.isEmpty else { throw APIError(.missingProviderId) }
    guard provider.rawId.isGiven else { throw APIError(.missingRawId) }
    user.link(provider)
  }

  func redeem(
    _ oob: OobCode, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> AccountChange {
    switch oob.requestType {
    case .passwordReset, .emailSignin: throw .notImplemented(oob.requestType.rawValue)
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail: break
    }
    try OobCodes(in: project).consume(oob, context: context)
    let owner =
      oob.requestType == .recoverEmail
      ? try OobCodes(in: project).owner(of: oob) : try Accounts(in: project).user(email: oob.email)
    guard let owner else { throw APIError(.invalidOobCode).keepingWrites }
    var change = AccountChange(user: owner, signInProvider: nil, rules: self)
    let restored = oob.requestType == .recoverEmail ? oob.email : oob.newEmail
    if let email = restored {
      if try Accounts(in: project).hasUser(email: email) {
        throw APIError(.emailExists).keepingWrites
      }
      change.user.email = email
    }
    if oob.requestType == .verifyAndChangeEmail {
      change.newEmail = oob.newEmail
      change.replacedEmail = oob.email
    }
    change.user.emailVerified = .yes
    return change
  }

  func answer(
    _ members: JSONObject, for user: User, tokens: TokenBlock?, in project: ProjectTransaction,
    context: Context
  ) -> Answer {
    Answer(members, tokens: tokens)
  }
}

/// As production does it.
private struct StrictUpdate: UpdateRules {
  let isAdmin: Bool
  let returnsSecureToken: Bool

  var isFinal: Bool { isAdmin }
  var tellsNewEmail: Bool { false }
  var keepsVerifiedFlag: Bool { true }

  /// A `validSince` that is moved back later brings sessions to life again.
  func endsSessions(changesSecrets: Bool) -> Bool { changesSecrets }

  /// A token counts before a code.
  func takesCode(of request: Update.Request) -> Bool { !request.idToken.isGiven }

  /// A user's token is looked at first.
  func checkClaims(of request: Update.Request, isAdmin: Bool) throws(APIError) {
    guard isAdmin, let claims = request.customAttributes.nonEmpty else { return }
    try CustomClaims.checkObject(claims)
  }

  /// A policy that is enforced is asked before the account is looked for.
  func checkFirst(
    _ request: Update.Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) {
    guard isAdmin, let password = request.password.nonEmpty,
      try PasswordPolicies(in: project).current().isEnforced
    else { return }
    try PasswordPolicies(in: project).checkNew(password, isUpdate: true, context: context)
  }

  func checkFieldsOfUser(_ request: Update.Request) throws(APIError) {
    if request.customAttributes != nil { throw APIError(.insufficientPermission) }
    if request.linkProviderUserInfo != nil {
      throw APIError(
        .unexpectedParameter, detail: "link_provider_user_info is not allowed with ID token.")
    }
  }

  /// With enumeration protection an address is changed by a mail to the new one, and not at once.
  func checkEmailChange(in project: ProjectTransaction) throws(APIError) {
    guard !isAdmin, try project.settings().hasEmailPrivacy else { return }
    throw APIError(
      .operationNotAllowed, detail: "Please verify the new email before changing email.")
  }

  func factors(
    replacing known: [MfaEnrollment], with factors: [MfaEnrollment.Replacement], context: Context
  ) throws(APIError) -> [MfaEnrollment] {
    try MfaEnrollment.completing(known, with: factors, context: context)
  }

  func unlinkPassword(of user: inout User) {
    user.deletePassword()
    user.emailLinkSignin = false
  }

  /// Links what an administrator gives; an account elsewhere belongs to one user.
  func link(
    _ provider: ProviderUserInfo, to user: inout User, in project: ProjectTransaction
  ) throws(APIError) {
    guard !provider.providerId.isEmpty, let rawId = provider.rawId.nonEmpty else {
      throw APIError(
        .missingIdentifier, detail: "providerId & rawId are both required for provider linking")
    }
    guard provider.providerId != "password", provider.providerId != "phone" else {
      throw APIError(.invalidProviderId)
    }
    let owner = try Accounts(in: project).user(providerId: provider.providerId, rawId: rawId)
    if let owner, owner.localId != user.localId { throw APIError(.federatedUserIdAlreadyLinked) }
    var provider = provider
    provider.federatedId = provider.federatedId ?? rawId
    user.link(provider)
  }

  /// Redeems a code for the account that it was made for.
  func redeem(
    _ oob: OobCode, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> AccountChange {
    switch oob.requestType {
    case .passwordReset, .emailSignin: throw APIError(.invalidOobCode)
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail: break
    }
    guard let owner = try OobCodes(in: project).owner(of: oob) else {
      throw APIError(.invalidOobCode)
    }
    try OobCodes(in: project).consume(oob, context: context)
    if owner.isDisabled { throw APIError(.userDisabled).keepingWrites }
    var change = AccountChange(user: owner, signInProvider: nil, rules: self)
    let isChange = oob.requestType == .verifyAndChangeEmail
    if let email = isChange ? oob.newEmail : oob.requestType == .recoverEmail ? oob.email : nil {
      if try Accounts(in: project).hasUser(email: email) {
        throw APIError(.emailExists).keepingWrites
      }
      if isChange {
        if change.user.initialEmail == nil { change.user.initialEmail = change.user.email }
        change.newEmail = email
        change.replacedEmail = owner.email
      }
      change.user.email = email
      change.user.validSince = .seconds(of: context.now)
      change.endsOlderTokens = true
    } else if owner.email != oob.email {
      throw APIError(.emailNotFound).keepingWrites
    }
    change.user.emailVerified = .yes
    return change
  }

  /// A change that ends sessions always answers an ID token, of the old kind where no session is asked
  /// for.
  func answer(
    _ members: JSONObject, for user: User, tokens: TokenBlock?, in project: ProjectTransaction,
    context: Context
  ) -> Answer {
    var members = members
    members["providerUserInfo"] = user.shownProviders
    if user.password != nil { members["passwordHash"] = .string(PasswordHash.redacted) }
    guard let tokens else { return Answer(members) }
    if returnsSecureToken { return Answer(members, tokens: tokens) }
    return Answer(
      members, legacyTokenOf: user, provider: "password", project: project, context: context)
  }
}
