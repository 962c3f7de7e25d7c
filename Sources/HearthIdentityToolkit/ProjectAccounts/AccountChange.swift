package import HearthErrors
package import HearthOperations
import HearthWire

/// A change to an account in the making: `accounts:update` puts it together step by step and
/// stores it at the end.
package struct AccountChange {
  package var user: User
  /// How the caller is signed in; nil for an administrator, until a password is set.
  var signInProvider: String?
  /// Whether `validSince` moved, which ends older tokens and is answered with new ones.
  var endsOlderTokens = false
  /// The answer's `newEmail`.
  package var newEmail: Email?
  var changesEmail = false
  /// The address that a redeemed code has replaced.
  var replacedEmail: Email?
  private var changesPassword = false
  private let rules: any UpdateRules

  init(user: User, signInProvider: String?, rules: any UpdateRules = LooseUpdate()) {
    self.user = user
    self.signInProvider = signInProvider
    self.rules = rules
  }

  var changesSecrets: Bool { changesEmail || changesPassword }

  mutating func setEmail(
    _ request: Update.Request, project: ProjectTransaction
  ) throws(APIError) {
    guard let given = request.email.nonEmpty else { return }
    let email = try project.newEmail(given)
    try rules.checkEmailChange(in: project)
    if rules.tellsNewEmail { newEmail = email }
    guard user.email != email else { return }
    if try Accounts(in: project).hasUser(email: email) { throw APIError(.emailExists) }
    changesEmail = true
    if rules.isFinal {
      user.email = email
      return
    }
    if signInProvider != "anonymous", user.initialEmail == nil { user.initialEmail = user.email }
    user.email = email
    user.emailVerified = .no
  }

  mutating func setPassword(
    _ request: Update.Request, project: ProjectTransaction, context: Context
  ) throws(APIError) {
    guard let password = request.password.nonEmpty else { return }
    try PasswordPolicies(in: project).checkNew(password, isUpdate: true, context: context)
    user.setPassword(password, in: project, context: context)
    signInProvider = "password"
    changesPassword = true
  }

  mutating func setFactors(
    _ request: Update.Request, project: ProjectTransaction, context: Context
  ) throws(APIError) {
    guard let factors = request.factors else { return }
    let known = user.mfaInfo ?? []
    user.mfaInfo =
      factors.isEmpty ? nil : try rules.factors(replacing: known, with: factors, context: context)
  }

  mutating func setAdminFields(
    _ request: Update.Request, project: ProjectTransaction
  ) throws(APIError) {
    if let disabled = request.disableUser { user.disabled = AccountFlag(disabled) }
    guard let text = request.phoneNumber.nonEmpty, text != user.phoneNumber?.text else {
      return
    }
    guard let phone = try project.phoneNumber(text) else { throw APIError(.invalidPhoneNumber) }
    guard phone != user.phoneNumber else { return }
    if try Accounts(in: project).user(phoneNumber: phone) != nil {
      throw APIError(.phoneNumberExists)
    }
    user.phoneNumber = phone
  }

  mutating func setProfile(_ request: Update.Request) {
    if let name = request.displayName { user.displayName = name }
    if let url = request.photoUrl { user.photoUrl = url }
  }

  /// Administrators' values are stored as they come, `validSince` included: it overrides "now".
  mutating func setVerbatimFields(_ request: Update.Request) {
    if let verified = request.emailVerified { user.emailVerified = AccountFlag(verified) }
    if let claims = request.customAttributes { user.customAttributes = claims }
    if let time = request.createdAt { user.createdAt = AccountTime(time) }
    if let time = request.lastLoginAt { user.lastLoginAt = AccountTime(time) }
    if let time = request.validSince { user.validSince = AccountTime(time) }
  }

  mutating func deleteAttributes(_ request: Update.Request) {
    for attribute in request.deleteAttribute {
      switch attribute {
      case .displayName: user.displayName = nil
      case .photoURL: user.photoUrl = nil
      case .password: user.deletePassword()
      case .email: user.deleteEmail(keepsFlag: rules.keepsVerifiedFlag)
      case .unspecified, .provider, .rawUserInfo: break
      }
    }
  }

  mutating func deleteProviders(_ request: Update.Request) {
    for provider in request.deleteProvider {
      switch provider {
      case "password": rules.unlinkPassword(of: &user)
      case "phone": user.phoneNumber = nil
      default: user.unlink(provider)
      }
    }
  }

  mutating func deletePasskeys(_ request: Update.Request) {
    guard let ids = request.deletePasskey else { return }
    user.passkeyInfo = (user.passkeyInfo ?? []).filter { passkey in
      !ids.contains { passkey["credentialId"]?.string == $0 }
    }
  }

  mutating func linkProvider(
    _ request: Update.Request, project: ProjectTransaction
  ) throws(APIError) {
    guard let provider = request.linkProviderUserInfo else { return }
    try rules.link(provider, to: &user, in: project)
  }

  /// Stores the change and answers. The old address gets a mail that tells how to undo it.
  package mutating func finish(
    _ project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    if endsOlderTokens, rules.endsSessions(changesSecrets: changesSecrets),
      let until = user.validSince?.number
    {
      try Sessions(in: project).revokeRefreshTokens(of: user, issuedUntil: until)
    }
    var tokens: TokenBlock?
    if endsOlderTokens, let signInProvider, !rules.isFinal {
      tokens = try Sessions(in: project).issueTokens(
        for: &user, signIn: SignInFacts(signInProvider), context: context)
    } else {
      try Accounts(in: project).save(&user)
    }
    if let email = recoverableEmail {
      let oob = try OobCodes(in: project).make(
        .recoverEmail, email: email, ownerId: replacedEmail == nil ? nil : user.localId,
        context: context)
      try OobCodes(in: project).mail(
        oob, to: user.displayName, changedTo: user.email, context: context)
    }
    return .answer(
      rules.answer(
        members(for: context.caller), for: user, tokens: tokens, in: project, context: context))
  }

  /// Where to tell of a new address, and how to undo it.
  private var recoverableEmail: Email? {
    if let replacedEmail { return replacedEmail }
    guard changesEmail, signInProvider != "anonymous", !rules.isFinal else { return nil }
    return user.initialEmail
  }

  private func members(for caller: Caller) -> JSONObject {
    let isAdmin = if case .admin = caller { true } else { false }
    return JSONObject([
      "kind": "identitytoolkit#SetAccountInfoResponse",
      "localId": .string(user.localId),
      "emailVerified": user.emailVerified.json,
      "providerUserInfo": user.providerUserInfo.map { .array($0.map(\.json)) },
      "email": user.email.json,
      "displayName": user.displayName.json,
      "photoUrl": user.photoUrl.json,
      "newEmail": newEmail.json,
      "passwordHash": user.password.map { .string(isAdmin ? $0.hash : PasswordHash.redacted) },
    ])
  }
}

extension AccountChange {
  /// Redeems a mailed code. It is gone even where the account it was for has changed meanwhile.
  package static func redeeming(
    _ code: String, by rules: (any UpdateRules)? = nil, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> AccountChange {
    let oob = try OobCodes(in: project).pending(code, context: context)
    let rules = if let rules { rules } else { try project.updateRules(context: context) }
    return try rules.redeem(oob, in: project, context: context)
  }
}

extension User {
  mutating func deleteEmail(keepsFlag: Bool) {
    email = nil
    if !keepsFlag { emailVerified = .unset }
    emailLinkSignin = false
  }
}
