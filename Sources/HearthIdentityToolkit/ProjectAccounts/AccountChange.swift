import HearthErrors
import HearthOperations
import HearthWire

/// A change to an account in the making: `accounts:update` puts it together step by step and
/// stores it at the end.
struct AccountChange {
  var user: User
  /// How the caller is signed in; nil for an administrator, until a password is set.
  var signInProvider: String?
  /// Whether `validSince` moved, which ends older tokens and is answered with new ones.
  var endsOlderTokens = false
  /// The answer's `newEmail`.
  var newEmail: Email?
  var changesEmail = false
  private var changesPassword = false
  /// How the answer is written, where production's is different.
  var production: ProductionStyle?

  init(user: User, signInProvider: String?) {
    self.user = user
    self.signInProvider = signInProvider
  }

  var changesSecrets: Bool { changesEmail || changesPassword }

  mutating func setEmail(
    _ request: Update.Request, _ project: ProjectTransaction
  ) throws(APIError) {
    guard let given = request.email.nonEmpty else { return }
    let email = try project.newEmail(given)
    if let production { try production.checkEmailChange(project) } else { newEmail = email }
    guard user.email != email else { return }
    if try project.hasUser(email: email) { throw APIError(.emailExists) }
    changesEmail = true
    // An administrator's change is final in production.
    if let production, production.isAdmin {
      user.email = email
      return
    }
    if signInProvider != "anonymous", user.initialEmail == nil { user.initialEmail = user.email }
    user.email = email
    user.emailVerified = .no
  }

  mutating func setPassword(
    _ request: Update.Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) {
    guard let password = request.password.nonEmpty else { return }
    try project.checkNewPassword(password, context)
    user.setPassword(password, context)
    signInProvider = "password"
    changesPassword = true
  }

  mutating func setFactors(
    _ request: Update.Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) {
    guard let factors = request.factors else { return }
    let known = user.mfaInfo ?? []
    if factors.isEmpty {
      user.mfaInfo = nil
    } else if try project.answersAsProduction {
      user.mfaInfo = try MfaEnrollment.replacingAsProduction(known, with: factors, context)
    } else {
      user.mfaInfo = try MfaEnrollment.replacing(known, with: factors)
    }
  }

  mutating func setAdminFields(
    _ request: Update.Request, _ project: ProjectTransaction
  ) throws(APIError) {
    if let disabled = request.disableUser { user.disabled = AccountFlag(disabled) }
    guard let text = request.phoneNumber.nonEmpty, text != user.phoneNumber?.text else {
      return
    }
    guard let phone = try project.phoneNumber(text) else { throw APIError(.invalidPhoneNumber) }
    guard phone != user.phoneNumber else { return }
    if try project.user(phoneNumber: phone) != nil { throw APIError(.phoneNumberExists) }
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
      case .email: deleteEmail(keepsFlag: production != nil)
      case .unspecified, .provider, .rawUserInfo: break
      }
    }
  }

  mutating func deleteProviders(_ request: Update.Request) {
    for provider in request.deleteProvider {
      switch provider {
      case "password" where production != nil:
        user.deletePassword()
        user.emailLinkSignin = false
      case "password":
        deleteEmail(keepsFlag: false)
        user.deletePassword()
      case "phone": user.phoneNumber = nil
      default: user.unlink(provider)
      }
    }
  }

  private mutating func deleteEmail(keepsFlag: Bool) {
    user.email = nil
    if !keepsFlag { user.emailVerified = .unset }
    user.emailLinkSignin = false
  }

  mutating func deletePasskeys(_ request: Update.Request) {
    guard let ids = request.deletePasskey else { return }
    user.passkeyInfo = (user.passkeyInfo ?? []).filter { passkey in
      !ids.contains { passkey["credentialId"]?.string == $0 }
    }
  }

  mutating func linkProvider(
    _ request: Update.Request, _ project: ProjectTransaction
  ) throws(APIError) {
    guard let provider = request.linkProviderUserInfo else { return }
    if let production { return try production.link(provider, to: &user, project) }
    guard !provider.providerId.isEmpty else { throw APIError(.missingProviderId) }
    guard provider.rawId.isGiven else { throw APIError(.missingRawId) }
    user.link(provider)
  }

  /// Stores the change and answers. Changing an address tells the first one how to undo it.
  mutating func finish(
    _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    // In production a `validSince` that is moved back later brings sessions to life again.
    let isFinal = try changesSecrets ? true : !project.answersAsProduction
    if endsOlderTokens, isFinal, let until = user.validSince?.number {
      try project.revokeRefreshTokens(of: user, issuedUntil: until)
    }
    var tokens: TokenBlock?
    if endsOlderTokens, let signInProvider, production?.isAdmin != true {
      tokens = try project.issueTokens(for: &user, SignInFacts(signInProvider), context)
    } else {
      try project.save(&user)
    }
    if changesEmail, signInProvider != "anonymous", production?.isAdmin != true,
      let initialEmail = user.initialEmail
    {
      let oob = try project.makeOobCode(.recoverEmail, email: initialEmail, context)
      try project.mail(oob, to: user.displayName, changedTo: user.email, context)
    }
    if let production {
      return .answer(
        production.answer(members(for: context.caller), user, tokens, project, context))
    }
    return .answer(Answer(members(for: context.caller), tokens: tokens))
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
  static func redeeming(
    _ code: String, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> AccountChange {
    let oob = try project.pendingOobCode(code, context)
    if try project.answersAsProduction { return try .redeemingAsProduction(oob, project, context) }
    switch oob.requestType {
    case .passwordReset, .emailSignin: throw .notImplemented(oob.requestType.rawValue)
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail: break
    }
    try project.consume(oob, context)
    let owner =
      oob.requestType == .recoverEmail
      ? try project.user(initialEmail: oob.email) : try project.user(email: oob.email)
    guard let owner else { throw APIError(.invalidOobCode).keepingWrites }
    var change = AccountChange(user: owner, signInProvider: nil)
    let restored = oob.requestType == .recoverEmail ? oob.email : oob.newEmail
    if let email = restored {
      if try project.hasUser(email: email) { throw APIError(.emailExists).keepingWrites }
      change.user.email = email
    }
    if oob.requestType == .verifyAndChangeEmail { change.newEmail = oob.newEmail }
    change.user.emailVerified = .yes
    return change
  }
}
