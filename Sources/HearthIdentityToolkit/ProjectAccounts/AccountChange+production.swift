import HearthErrors
import HearthOperations
import HearthWire

/// What production does differently in `accounts:update`.
struct ProductionStyle: Sendable {
  let isAdmin: Bool
  let returnsSecureToken: Bool

  /// Nil where the official emulator's answers are given.
  init?(
    _ request: Update.Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) {
    guard try project.answersAsProduction else { return nil }
    isAdmin = if case .admin = context.caller { true } else { false }
    returnsSecureToken = request.returnsSecureToken
  }

  /// With enumeration protection an address is changed by a mail to the new one, and not at once.
  func checkEmailChange(_ project: ProjectTransaction) throws(APIError) {
    guard !isAdmin, try project.settings().hasEmailPrivacy else { return }
    throw APIError(.operationNotAllowed, "Please verify the new email before changing email.")
  }

  /// Links what an administrator gives; an account elsewhere belongs to one user.
  func link(
    _ provider: ProviderUserInfo, to user: inout User, _ project: ProjectTransaction
  ) throws(APIError) {
    guard !provider.providerId.isEmpty, let rawId = provider.rawId.nonEmpty else {
      throw APIError(
        .missingIdentifier, "providerId & rawId are both required for provider linking")
    }
    guard provider.providerId != "password", provider.providerId != "phone" else {
      throw APIError(.invalidProviderId)
    }
    let owner = try project.user(providerId: provider.providerId, rawId: rawId)
    if let owner, owner.localId != user.localId { throw APIError(.federatedUserIdAlreadyLinked) }
    var provider = provider
    provider.federatedId = provider.federatedId ?? rawId
    user.link(provider)
  }

  /// A change that ends sessions always answers an ID token, of the old kind where no session is asked
  /// for.
  func answer(
    _ members: JSONObject, _ user: User, _ tokens: TokenBlock?, _ project: ProjectTransaction,
    _ context: Context
  ) -> Answer {
    var members = members
    members["providerUserInfo"] = user.shownProviders
    if user.password != nil { members["passwordHash"] = .string(PasswordHash.redacted) }
    guard let tokens else { return Answer(members) }
    if returnsSecureToken { return Answer(members, tokens: tokens) }
    return Answer(members, legacyTokenOf: user, "password", project, context)
  }
}

extension AccountChange {
  /// Redeems a code for the account that it was made for.
  static func redeemingAsProduction(
    _ oob: OobCode, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> AccountChange {
    switch oob.requestType {
    case .passwordReset, .emailSignin: throw APIError(.invalidOobCode)
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail: break
    }
    guard let owner = try project.owner(of: oob) else { throw APIError(.invalidOobCode) }
    try project.consume(oob, context)
    if owner.isDisabled { throw APIError(.userDisabled).keepingWrites }
    var change = AccountChange(user: owner, signInProvider: nil)
    let isChange = oob.requestType == .verifyAndChangeEmail
    if let email = isChange ? oob.newEmail : oob.requestType == .recoverEmail ? oob.email : nil {
      if try project.hasUser(email: email) { throw APIError(.emailExists).keepingWrites }
      if isChange {
        if change.user.initialEmail == nil { change.user.initialEmail = change.user.email }
        change.newEmail = email
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
}

extension ProjectTransaction {
  /// The account that a code was made for, and that is still there; by its address where the code
  /// does not say.
  func owner(of oob: OobCode) throws(APIError) -> User? {
    if let localId = oob.localId { return try user(localId: localId) }
    return oob.requestType == .recoverEmail
      ? try user(initialEmail: oob.email) : try user(email: oob.email)
  }
}
