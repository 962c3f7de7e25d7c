import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Creates an account: by an administrator, with a password, or anonymous; or adds a password to
/// the account of an ID token. https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signUp
enum SignUp: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let mode = try mode(of: request, project, context)
    let email = try newEmail(request, mode, project)
    let password = request.string("password").nonEmpty
    if let password { try project.checkNewPassword(password, context) }
    let factors = try MfaEnrollment.enrolling(request.array("mfaInfo") ?? [], context)

    let isLinking = request.string("idToken").isGiven
    var user: User
    if isLinking {
      user = try project.userOfToken(context).user
      user.lastLoginAt = String(context.now.milliseconds)
    } else {
      let localId = request.string("localId").nonEmpty ?? context.random.alphanumeric(28)
      user = User.new(localId, tenantId: project.tenantId, context)
    }
    apply(request, mode, to: &user)
    if let email { user.email = email }
    if let password { user.setPassword(password, context) }
    // Who had a session of the account before has no password of it now.
    if isLinking, password != nil {
      try project.revokeRefreshTokens(of: user, issuedUntil: context.now.seconds)
    }
    if !factors.isEmpty { user.mfaInfo = factors }
    if mode == .password && !isLinking {
      return try project.signingUp(user, BlockingFacts(signInMethod: "password"), context) {
        user, signIn, project, context throws(APIError) in
        try finish(user, signIn, project, context)
      }
    }
    if !isLinking { project.tellCreated(user, context) }
    switch mode {
    case .admin: return try finish(user, nil, project, context)
    case .password: return try finish(user, SignInFacts("password"), project, context)
    case .anonymous: return try finish(user, SignInFacts("anonymous"), project, context)
    }
  }

  private enum Mode { case admin, password, anonymous }

  /// The order of these checks is behaviour.
  private static func mode(
    of request: WireRequest, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Mode {
    if case .admin = context.caller {
      try checkAdmin(request, project)
      return .admin
    }
    if request.string("localId").isGiven { throw APIError(.unexpectedParameter) }
    let fields = ["idToken", "password", "email"]
    guard fields.contains(where: { request.string($0).isGiven }) else {
      // Observed: `email: ""` alone is anonymous here, and an invalid address later on.
      if try project.tenant()?.allowsAnonymousUser == false { throw APIError(.adminOnlyOperation) }
      return .anonymous
    }
    guard request.string("email").isGiven else { throw APIError(.missingEmail) }
    guard request.string("password").isGiven else { throw APIError(.missingPassword) }
    if try project.tenant()?.allowsPasswordSignup == false { throw APIError(.operationNotAllowed) }
    return .password
  }

  private static func checkAdmin(
    _ request: WireRequest, _ project: ProjectTransaction
  ) throws(APIError) {
    let localId = request.string("localId").nonEmpty
    if request.string("idToken").isGiven && localId != nil {
      throw APIError(.unexpectedParameter)
    }
    if let localId, try project.user(localId: localId) != nil {
      throw APIError(.duplicateLocalId)
    }
    guard let phone = request.string("phoneNumber").nonEmpty else { return }
    guard Formats.isPhoneNumber(phone) else { throw APIError(.invalidPhoneNumber) }
    if try project.user(phoneNumber: phone) != nil { throw APIError(.phoneNumberExists) }
  }

  private static func newEmail(
    _ request: WireRequest, _ mode: Mode, _ project: ProjectTransaction
  ) throws(APIError) -> String? {
    guard let given = request.string("email"), mode != .admin || !given.isEmpty else { return nil }
    guard Formats.isEmail(given) else { throw APIError(.invalidEmail) }
    let email = Formats.canonicalEmail(given)
    if try project.hasUser(email: email) { throw APIError(.emailExists) }
    return email
  }

  private static func apply(_ request: WireRequest, _ mode: Mode, to user: inout User) {
    switch mode {
    case .anonymous: break
    case .password:
      user.displayName = request.string("displayName")
      user.emailVerified = false
    case .admin:
      user.displayName = request.string("displayName")
      user.photoUrl = request.string("photoUrl")
      user.emailVerified = request.bool("emailVerified") ?? false
      if let phone = request.string("phoneNumber").nonEmpty { user.phoneNumber = phone }
      if request.bool("disabled") == true { user.disabled = true }
    }
  }

  /// Stores the user and, but for administrators, hands out tokens.
  private static func finish(
    _ user: User, _ signIn: SignInFacts?, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    var user = user
    let tokens: TokenBlock?
    if let signIn {
      tokens = try project.issueTokens(for: &user, signIn, context)
    } else {
      try project.save(&user)
      tokens = nil
    }
    return .answer(
      Answer(
        JSONObject([
          "kind": "identitytoolkit#SignupNewUserResponse",
          "localId": .string(user.localId),
          "displayName": user.displayName.json,
          "email": user.email.json,
        ]), tokens: tokens))
  }
}
