import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// How second factors are enrolled and withdrawn, where the two programs do it differently.
protocol EnrollmentRules: Sendable {
  /// How long an authenticator app can be enrolled with its secret.
  var totpSessionLife: Duration { get }
  /// What becomes of the session of an app that is enrolled, as the beginning of a statement.
  var endingOfTotpSession: String { get }
  /// Whether the answer to a withdrawal says when its tokens end.
  var showsExpiry: Bool { get }

  func timeText(_ time: Timestamp) -> String
  func newId(_ context: Context) -> String

  /// Whether an authenticator app is asked for, and not a phone.
  func wantsTotp(_ request: MfaEnrollmentStart.Request) throws(APIError) -> Bool
  /// The user who begins. The order of these checks is behaviour.
  func userBeginning(
    _ request: MfaEnrollmentStart.Request, wantsTotp: Bool, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> PresentedUser
  func checkSession(
    _ presented: PresentedUser, in project: ProjectTransaction, context: Context
  ) throws(APIError)
  func requireRoom(in user: User, forTotp isTotp: Bool) throws(APIError)
  func finish(
    _ user: inout User, with factor: inout MfaEnrollment, phone: PhoneNumber, context: Context)

  /// Checks what there is to see of a proof before its session is looked up, and then the session.
  func check(_ proof: TotpProof) throws(APIError)
  func checkSession(secret: String, for factor: MfaEnrollment) throws(APIError)

  /// Ends the user's sessions but this one.
  func withdraw(
    _ id: String?, from user: inout User, as presented: PresentedUser, signIn: inout SignInFacts,
    context: Context)
}

extension SecondFactors {
  func enrollmentRules() throws(APIError) -> any EnrollmentRules {
    switch try answers {
    case .emulator: LooseEnrollment()
    case .production: StrictEnrollment()
    }
  }

  fileprivate func requireFactors(areTotp isTotp: Bool) throws(APIError) {
    try isTotp ? requireTotpFactors() : requireSMSFactors()
  }
}

/// As the official emulator does it.
private struct LooseEnrollment: EnrollmentRules {
  var totpSessionLife: Duration { .seconds(300) }
  var endingOfTotpSession: String { "DELETE FROM totp_sessions" }
  var showsExpiry: Bool { true }

  func timeText(_ time: Timestamp) -> String { time.iso8601 }

  func newId(_ context: Context) -> String { context.random.alphanumeric(28) }

  func wantsTotp(_ request: MfaEnrollmentStart.Request) -> Bool {
    request.hasTotp && request.phone == nil
  }

  func userBeginning(
    _ request: MfaEnrollmentStart.Request, wantsTotp: Bool, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> PresentedUser {
    try SecondFactors(in: project).requireFactors(areTotp: wantsTotp)
    return try SecondFactors(in: project).userEnrolling(idToken: request.idToken, context)
  }

  func checkSession(
    _ presented: PresentedUser, in project: ProjectTransaction, context: Context
  ) {}

  func requireRoom(in user: User, forTotp isTotp: Bool) {}

  func finish(
    _ user: inout User, with factor: inout MfaEnrollment, phone: PhoneNumber, context: Context
  ) {
    factor.unobfuscatedPhoneInfo = phone
  }

  func check(_ proof: TotpProof) throws(APIError) {
    guard proof.verificationCode.isGiven else { throw APIError(.missingCode) }
  }

  func checkSession(secret: String, for factor: MfaEnrollment) {}

  func withdraw(
    _ id: String?, from user: inout User, as presented: PresentedUser, signIn: inout SignInFacts,
    context: Context
  ) {}
}

/// As production does it.
private struct StrictEnrollment: EnrollmentRules {
  var totpSessionLife: Duration { .seconds(900) }
  // A session that was used is known, but has no secret any more.
  var endingOfTotpSession: String { "UPDATE totp_sessions SET secret = ''" }
  var showsExpiry: Bool { false }

  /// With six decimals.
  func timeText(_ time: Timestamp) -> String { time.iso8601.dropLast() + "000Z" }

  func newId(_ context: Context) -> String { context.random.uuid() }

  func wantsTotp(_ request: MfaEnrollmentStart.Request) throws(APIError) -> Bool {
    if request.kinds.count > 1 { throw .secondOfOneof("enrollment_info", field: request.kinds[1]) }
    guard request.phone != nil || request.hasTotp else { throw .invalidRequest }
    return request.hasTotp
  }

  func userBeginning(
    _ request: MfaEnrollmentStart.Request, wantsTotp: Bool, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> PresentedUser {
    let presented = try SecondFactors(in: project).userEnrolling(idToken: request.idToken, context)
    try SecondFactors(in: project).requireFactors(areTotp: wantsTotp)
    return presented
  }

  func checkSession(
    _ presented: PresentedUser, in project: ProjectTransaction, context: Context
  ) throws(APIError) {
    try Sessions(in: project).requireRecentLogin(presented.claims, context: context)
  }

  func requireRoom(in user: User, forTotp isTotp: Bool) throws(APIError) {
    let known = (user.mfaInfo ?? []).count { $0.isTotp == isTotp }
    guard known >= (isTotp ? 1 : ProjectFactors.mostPhones) else { return }
    throw APIError(
      .secondFactorLimitExceeded,
      detail: "Too many \(isTotp ? "TOTP based " : "")second factors enrolled for this account.")
  }

  func finish(
    _ user: inout User, with factor: inout MfaEnrollment, phone: PhoneNumber, context: Context
  ) {
    user.validSince = .seconds(of: context.now)
  }

  func check(_ proof: TotpProof) {}

  func checkSession(secret: String, for factor: MfaEnrollment) throws(APIError) {
    if secret.isEmpty { throw APIError(.tooManyEnrollmentAttempts, detail: "restart enrollment") }
    guard factor.displayName.isGiven else {
      throw APIError(.missingDisplayName, detail: "display name cannot be empty")
    }
  }

  func withdraw(
    _ id: String?, from user: inout User, as presented: PresentedUser, signIn: inout SignInFacts,
    context: Context
  ) {
    user.validSince = .seconds(of: context.now)
    if presented.secondFactor?.identifier != id { signIn.secondFactor = presented.secondFactor }
    if user.mfaInfo?.isEmpty == true { user.mfaInfo = nil }
  }
}
