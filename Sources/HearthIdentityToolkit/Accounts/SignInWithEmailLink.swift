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
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if try project.tenant()?.allowsEmailLinkSignin == false { throw APIError(.operationNotAllowed) }
    let isProduction = try project.answersAsProduction
    if try project.requiresPasswords { throw APIError(.operationNotAllowed) }
    let presented =
      request.idToken.isGiven ? try project.userOfToken(context).user : nil
    guard let given = request.email.nonEmpty else { throw APIError(.missingEmail) }
    let email = Email(unchecked: given)
    guard let code = request.oobCode.nonEmpty else { throw APIError(.missingOobCode) }
    let oob = try project.pendingOobCode(code, context)
    guard oob.requestType == .emailSignin else { throw APIError(.invalidOobCode) }
    guard oob.email == email else {
      throw APIError(
        .invalidEmail, "The email provided does not match the sign-in email address.")
    }
    // In production a link does not outlive the account that it was made for.
    if isProduction, let id = oob.localId, try project.user(localId: id) == nil {
      throw APIError(.invalidOobCode)
    }
    // From here on the code is gone, whatever else goes wrong.
    try project.consume(oob, context)
    let owner = try project.user(email: email)
    if (presented ?? owner)?.isDisabled == true { throw APIError(.userDisabled).keepingWrites }
    if let presented, let owner, presented.localId != owner.localId {
      throw APIError(.emailExists).keepingWrites
    }
    let known = presented ?? owner
    if known == nil { try project.requireClientPermission(.signUp) }
    var user =
      known ?? User.new(context.random.alphanumeric(28), tenantId: project.tenantId, context)
    if isProduction { prove(&user, isNew: known == nil, isOwner: presented == nil, context) }
    user.email = email
    user.emailVerified = .yes
    user.emailLinkSignin = true
    if try project.asksForSecondFactor(user) {
      try project.save(&user)
      var members = members(of: user, isNew: false)
      members.merge(project.pendingSecondFactor(user, signInProvider: "password", context))
      return .json(members)
    }
    // Observed: one who is new has not signed in until all functions have agreed.
    user.lastLoginAt = known == nil ? nil : .milliseconds(of: context.now)
    return try signIn(user, isNew: known == nil, project, context)
  }

  /// Who proves that an address is theirs takes the account of somebody who did not: the password of
  /// the latter is worth nothing from then on.
  private static func prove(
    _ user: inout User, isNew: Bool, isOwner: Bool, _ context: Context
  ) {
    if isOwner, user.emailVerified != .yes { user.deletePassword() }
    if isNew { user.validSince = .seconds(of: context.now) }
  }

  private static func signIn(
    _ user: User, isNew: Bool, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let facts = BlockingFacts(signInMethod: "emailLink")
    let finish: ProjectTransaction.Finish = {
      user, signIn, project, context throws(APIError) in
      var user = user
      user.lastLoginAt = user.lastLoginAt ?? .milliseconds(of: context.now)
      let tokens = try project.issueTokens(for: &user, signIn, context)
      return .answer(Answer(members(of: user, isNew: isNew), tokens: tokens))
    }
    return isNew
      ? try project.signingUp(user, facts, context, finish: finish)
      : try project.signingIn(user, facts, context, finish: finish)
  }

  private static func members(of user: User, isNew: Bool) -> JSONObject {
    JSONObject([
      "kind": "identitytoolkit#EmailLinkSigninResponse",
      "email": user.email.json,
      "localId": .string(user.localId),
      "isNewUser": .bool(isNew),
    ])
  }
}
