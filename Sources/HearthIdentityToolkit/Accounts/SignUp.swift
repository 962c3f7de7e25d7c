import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Creates an account: by an administrator, with a password, or anonymous; or adds a password to
/// the account of an ID token. https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signUp
enum SignUp: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let localId: String?
    let email: String?
    let password: String?
    let phoneNumber: String?
    let displayName: String?
    let photoUrl: String?
    let emailVerified: Bool?
    let disabled: Bool?
    let factors: [MfaEnrollment.New]

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      localId = wire.string("localId")
      email = wire.string("email")
      password = wire.string("password")
      phoneNumber = wire.string("phoneNumber")
      displayName = wire.string("displayName")
      photoUrl = wire.string("photoUrl")
      emailVerified = wire.bool("emailVerified")
      disabled = wire.bool("disabled")
      factors = (wire.array("mfaInfo") ?? []).map(MfaEnrollment.New.init)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let mode = try mode(of: request, project: project, context: context)
    if mode != .admin { try project.requireClientPermission(.signUp) }
    let email = try newEmail(request, mode: mode, project: project, context: context)
    let password = request.password.nonEmpty
    if let password { try PasswordPolicies(in: project).checkNew(password, context: context) }
    try project.checkDisplayName(request.displayName)
    let factors = try MfaEnrollment.enrolling(request.factors, context: context)

    let isLinking = request.idToken.isGiven
    var user: User
    if isLinking {
      user = try Sessions(in: project).userOfToken(context).user
      user.lastLoginAt = .milliseconds(of: context.now)
    } else {
      user = try newUser(request, mode: mode, project: project, context: context)
    }
    if isLinking, mode == .password, user.email == email {
      // Its own address: whether it was verified does not change.
      if let name = request.displayName { user.displayName = name }
    } else {
      try apply(request, mode: mode, to: &user, project: project)
    }
    if mode == .admin, email == nil, request.emailVerified == nil {
      try project.signUpRules().forgetFlag(of: &user)
    }
    if let email { user.email = email }
    if let password { user.setPassword(password, in: project, context: context) }
    // Sessions opened before the password was set must end.
    if isLinking, password != nil {
      try Sessions(in: project).revokeRefreshTokens(of: user, issuedUntil: context.now.seconds)
    }
    if !factors.isEmpty { user.mfaInfo = factors }
    if mode == .password && !isLinking {
      return try BlockingFunctions(in: project).signingUp(
        user, facts: BlockingFacts(signInMethod: "password"), context: context
      ) {
        user, signIn, project, context throws(APIError) in
        try finish(user, signIn: signIn, project: project, context: context)
      }
    }
    if mode == .anonymous, !isLinking { try Attempts(in: project).spend(.signUp, context: context) }
    if !isLinking { Accounts(in: project).publishCreated(user, context: context) }
    switch mode {
    case .admin: return try finish(user, signIn: nil, project: project, context: context)
    case .password:
      return try finish(user, signIn: SignInFacts("password"), project: project, context: context)
    case .anonymous:
      return try finish(user, signIn: SignInFacts("anonymous"), project: project, context: context)
    }
  }

  private enum Mode { case admin, password, anonymous }

  private static func newUser(
    _ request: Request, mode: Mode, project: ProjectTransaction, context: Context
  ) throws(APIError) -> User {
    let rules: any SignUpRules = mode == .admin ? try project.signUpRules() : LooseSignUp()
    let localId = rules.localId(of: request) ?? context.random.alphanumeric(28)
    return rules.newUser(localId, tenantId: project.tenantId, context: context)
  }

  /// The order of these checks is behaviour.
  private static func mode(
    of request: Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Mode {
    if case .admin = context.caller {
      try checkAdmin(request, project: project)
      return .admin
    }
    if request.localId.isGiven { throw APIError(.unexpectedParameter) }
    let names = [request.idToken, request.password, request.email]
    guard names.contains(where: { $0.isGiven }) else {
      // Observed: `email: ""` alone is anonymous here, and an invalid address later on.
      guard try project.allows(.anonymous) else { throw APIError(.adminOnlyOperation) }
      return .anonymous
    }
    guard request.email.isGiven else { throw APIError(.missingEmail) }
    guard request.password.isGiven else { throw APIError(.missingPassword) }
    guard try project.allows(.password) else { throw APIError(.operationNotAllowed) }
    return .password
  }

  private static func checkAdmin(
    _ request: Request, project: ProjectTransaction
  ) throws(APIError) {
    let localId = request.localId.nonEmpty
    if request.idToken.isGiven && localId != nil {
      throw APIError(.unexpectedParameter)
    }
    if let localId = try project.signUpRules().localId(of: request),
      try Accounts(in: project).user(localId: localId) != nil
    {
      throw APIError(.duplicateLocalId)
    }
    guard let text = request.phoneNumber.nonEmpty else { return }
    guard let phone = try project.phoneNumber(text) else { throw APIError(.invalidPhoneNumber) }
    if try Accounts(in: project).user(phoneNumber: phone) != nil {
      throw APIError(.phoneNumberExists)
    }
  }

  private static func newEmail(
    _ request: Request, mode: Mode, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Email? {
    guard let given = request.email, mode != .admin || !given.isEmpty else { return nil }
    if given.isEmpty { try project.signUpRules().refuseEmptyEmail() }
    let email = try project.newEmail(given)
    guard try Accounts(in: project).hasUser(email: email) else { return email }
    guard mode == .password, request.idToken.isGiven else { throw APIError(.emailExists) }
    guard lacksPassword(ownerOf: email, project: project, context: context) else {
      throw APIError(.emailExists)
    }
    return email
  }

  /// Whether the address is that of the presented token's own account, which has no password yet.
  private static func lacksPassword(
    ownerOf email: Email, project: ProjectTransaction, context: Context
  ) -> Bool {
    guard let user = try? Sessions(in: project).userOfToken(context).user else { return false }
    return user.email == email && user.password == nil
  }

  private static func apply(
    _ request: Request, mode: Mode, to user: inout User, project: ProjectTransaction
  ) throws(APIError) {
    switch mode {
    case .anonymous: break
    case .password:
      user.displayName = request.displayName
      user.emailVerified = .no
    case .admin:
      user.displayName = request.displayName
      user.photoUrl = request.photoUrl
      user.emailVerified = AccountFlag(request.emailVerified ?? false)
      if let text = request.phoneNumber { user.phoneNumber = try project.phoneNumber(text) }
      if request.disabled == true { user.disabled = .yes }
    }
  }

  /// Stores the user and, but for administrators, hands out tokens.
  private static func finish(
    _ user: User, signIn: SignInFacts?, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    var user = user
    let rules: any SignUpRules = signIn == nil ? try project.signUpRules() : LooseSignUp()
    let tokens: TokenBlock?
    if let signIn {
      tokens = try Sessions(in: project).issueTokens(for: &user, signIn: signIn, context: context)
    } else {
      try Accounts(in: project).save(&user)
      tokens = nil
    }
    return .answer(
      Answer(
        JSONObject([
          "kind": "identitytoolkit#SignupNewUserResponse",
          "localId": .string(user.localId),
          "displayName": rules.answeredName(of: user).json,
          "email": user.email.json ?? rules.absentEmail.json,
        ]), tokens: tokens))
  }
}
