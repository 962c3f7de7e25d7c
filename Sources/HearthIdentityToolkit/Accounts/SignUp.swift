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
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let mode = try mode(of: request, project, context)
    if mode != .admin { try project.requireClientPermission(.signUp) }
    let email = try newEmail(request, mode, project)
    let password = request.password.nonEmpty
    if let password { try project.checkNewPassword(password, context) }
    try project.checkDisplayName(request.displayName)
    let factors = try MfaEnrollment.enrolling(request.factors, context)

    let isLinking = request.idToken.isGiven
    var user: User
    if isLinking {
      user = try project.userOfToken(context).user
      user.lastLoginAt = .milliseconds(of: context.now)
    } else {
      user = try newUser(request, mode, project, context)
    }
    try apply(request, mode, to: &user, project)
    // Production says nothing of an address that there is not.
    if mode == .admin, email == nil, request.emailVerified == nil, try project.answersAsProduction {
      user.emailVerified = .unset
    }
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
    if mode == .anonymous, !isLinking { try project.spend(.signUp, context) }
    if !isLinking { project.publishCreated(user, context) }
    switch mode {
    case .admin: return try finish(user, nil, project, context)
    case .password: return try finish(user, SignInFacts("password"), project, context)
    case .anonymous: return try finish(user, SignInFacts("anonymous"), project, context)
    }
  }

  private enum Mode { case admin, password, anonymous }

  private static func newUser(
    _ request: Request, _ mode: Mode, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> User {
    guard mode == .admin, try project.answersAsProduction else {
      let localId = request.localId.nonEmpty ?? context.random.alphanumeric(28)
      return User.new(localId, tenantId: project.tenantId, context)
    }
    // Observed: an empty id is one.
    return .madeByAdministrator(
      request.localId ?? context.random.alphanumeric(28), tenantId: project.tenantId, context)
  }

  /// The order of these checks is behaviour.
  private static func mode(
    of request: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Mode {
    if case .admin = context.caller {
      try checkAdmin(request, project)
      return .admin
    }
    if request.localId.isGiven { throw APIError(.unexpectedParameter) }
    let names = [request.idToken, request.password, request.email]
    guard names.contains(where: { $0.isGiven }) else {
      // Observed: `email: ""` alone is anonymous here, and an invalid address later on.
      if try project.tenant()?.allowsAnonymousUser == false { throw APIError(.adminOnlyOperation) }
      return .anonymous
    }
    guard request.email.isGiven else { throw APIError(.missingEmail) }
    guard request.password.isGiven else { throw APIError(.missingPassword) }
    if try project.tenant()?.allowsPasswordSignup == false { throw APIError(.operationNotAllowed) }
    return .password
  }

  private static func checkAdmin(
    _ request: Request, _ project: ProjectTransaction
  ) throws(APIError) {
    let localId = request.localId.nonEmpty
    if request.idToken.isGiven && localId != nil {
      throw APIError(.unexpectedParameter)
    }
    if let localId = try project.answersAsProduction ? request.localId : localId,
      try project.user(localId: localId) != nil
    {
      throw APIError(.duplicateLocalId)
    }
    guard let text = request.phoneNumber.nonEmpty else { return }
    guard let phone = try project.phoneNumber(text) else { throw APIError(.invalidPhoneNumber) }
    if try project.user(phoneNumber: phone) != nil { throw APIError(.phoneNumberExists) }
  }

  private static func newEmail(
    _ request: Request, _ mode: Mode, _ project: ProjectTransaction
  ) throws(APIError) -> Email? {
    guard let given = request.email, mode != .admin || !given.isEmpty else { return nil }
    if given.isEmpty, try project.answersAsProduction { throw APIError(.missingEmail) }
    let email = try project.newEmail(given)
    if try project.hasUser(email: email) { throw APIError(.emailExists) }
    return email
  }

  private static func apply(
    _ request: Request, _ mode: Mode, to user: inout User, _ project: ProjectTransaction
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

  /// What production shows an administrator in the place of an address.
  private static func emptyEmail(
    _ signIn: SignInFacts?, _ project: ProjectTransaction
  ) throws(APIError) -> JSON? {
    guard signIn == nil else { return nil }
    return try project.answersAsProduction ? "" : nil
  }

  /// Stores the user and, but for administrators, hands out tokens.
  private static func finish(
    _ user: User, _ signIn: SignInFacts?, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    var user = user
    let emptyEmail = try emptyEmail(signIn, project)
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
          "email": user.email.json ?? emptyEmail,
        ]), tokens: tokens))
  }
}
