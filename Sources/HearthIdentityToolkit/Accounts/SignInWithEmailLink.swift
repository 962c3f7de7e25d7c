import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Signs in with a link that was mailed.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithEmailLink
enum SignInWithEmailLink: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let email: String?
    let oobCode: String?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      email = wire.string("email")
      oobCode = wire.string("oobCode")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard try project.allows(.emailLink) else { throw APIError(.operationNotAllowed) }
    let presented =
      request.idToken.isGiven ? try Sessions(in: project).userOfToken(context).user : nil
    guard let given = request.email.nonEmpty else { throw APIError(.missingEmail) }
    let email = Email(unchecked: given)
    guard let code = request.oobCode.nonEmpty else { throw APIError(.missingOobCode) }
    let oob = try OobCodes(in: project).pending(code, context: context)
    guard oob.requestType == .emailSignin else { throw APIError(.invalidOobCode) }
    guard oob.email == email else {
      throw APIError(
        .invalidEmail, detail: "The email provided does not match the sign-in email address.")
    }
    try requireOwner(of: oob, in: project)
    // From here on the code is gone, whatever else goes wrong.
    try OobCodes(in: project).consume(oob, context: context)
    let owner = try Accounts(in: project).user(email: email)
    if (presented ?? owner)?.isDisabled == true { throw APIError(.userDisabled).keepingWrites }
    if let presented, let owner, presented.localId != owner.localId {
      throw APIError(.emailExists).keepingWrites
    }
    let known = presented ?? owner
    if known == nil { try project.requireClientPermission(.signUp) }
    var user =
      if let known { known } else {
        try Accounts(in: project).newcomer(context.random.alphanumeric(28), context: context)
      }
    if presented == nil { try prove(&user, in: project) }
    user.email = email
    user.emailVerified = .yes
    user.emailLinkSignin = true
    if try Sessions(in: project).asksForSecondFactor(user) {
      try Accounts(in: project).save(&user)
      let tellsNew = try project.signUpRules().tellsNewBeforeSecondFactor
      var members = members(of: user, isNew: tellsNew ? false : nil)
      members.merge(
        Sessions(in: project).pendingSecondFactor(
          user, signInProvider: "password", context: context))
      return .json(members)
    }
    // Observed: one who is new has not signed in until all functions have agreed.
    user.lastLoginAt = known == nil ? nil : .milliseconds(of: context.now)
    return try signIn(user, isNew: known == nil, project: project, context: context)
  }

  /// In production a link does not outlive the account that it was made for.
  private static func requireOwner(
    of oob: OobCode, in project: ProjectTransaction
  ) throws(APIError) {
    switch try project.answers {
    case .emulator: break
    case .production:
      if let id = oob.localId, try Accounts(in: project).user(localId: id) == nil {
        throw APIError(.invalidOobCode)
      }
    }
  }

  /// Who proves that an address is theirs takes the account of somebody who did not: in production
  /// the password of the latter is worth nothing from then on.
  private static func prove(
    _ user: inout User, in project: ProjectTransaction
  ) throws(APIError) {
    switch try project.answers {
    case .emulator: break
    case .production: if user.emailVerified != .yes { user.deletePassword() }
    }
  }

  private static func signIn(
    _ user: User, isNew: Bool, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let facts = BlockingFacts(signInMethod: "emailLink")
    let finish: BlockingFunctions.Finish = {
      user, signIn, project, context throws(APIError) in
      var user = user
      user.lastLoginAt = user.lastLoginAt ?? .milliseconds(of: context.now)
      let tokens = try Sessions(in: project).issueTokens(
        for: &user, signIn: signIn, context: context)
      return .answer(Answer(members(of: user, isNew: isNew), tokens: tokens))
    }
    return isNew
      ? try BlockingFunctions(in: project).signingUp(
        user, facts: facts, context: context, finish: finish)
      : try BlockingFunctions(in: project).signingIn(
        user, facts: facts, context: context, finish: finish)
  }

  private static func members(of user: User, isNew: Bool?) -> JSONObject {
    JSONObject([
      "kind": "identitytoolkit#EmailLinkSigninResponse",
      "email": user.email.json,
      "localId": .string(user.localId),
      "isNewUser": isNew.map(JSON.bool),
    ])
  }
}
