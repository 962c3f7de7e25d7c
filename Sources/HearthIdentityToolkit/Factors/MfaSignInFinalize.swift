import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Finishes a sign-in with the code of a second factor.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaSignIn/finalize
enum MfaSignInFinalize: Operation {
  struct Request: OperationRequest {
    let mfaPendingCredential: String?
    let mfaEnrollmentId: String?
    let phone: PhoneProof?
    let totp: TotpProof?

    init(_ wire: WireRequest) {
      mfaPendingCredential = wire.string("mfaPendingCredential")
      mfaEnrollmentId = wire.string("mfaEnrollmentId")
      phone = wire.object("phoneVerificationInfo").map(PhoneProof.init)
      totp = wire.object("totpVerificationInfo").map(TotpProof.init)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let totp = request.phone == nil ? request.totp : nil
    try totp == nil ? project.requireSMSFactors() : project.requireTotpFactors()
    guard let credential = request.mfaPendingCredential.nonEmpty else {
      throw APIError(.missingCredential)
    }
    if let totp {
      var (user, provider) = try project.pendingUser(credential, context)
      let factor = try user.redeemTotp(totp, request.mfaEnrollmentId, context)
      return try finish(user, provider, factor, project, context)
    }
    guard let proof = request.phone else {
      throw APIError(.badArgument, "MFA provider not supported!")
    }
    let phoneNumber = try proof.redeem(project, context)
    do throws(APIError) {
      let (user, provider) = try project.pendingUser(credential, context)
      let factors = user.mfaInfo ?? []
      // iOS knows only the obfuscated number.
      let factor = factors.first {
        $0.unobfuscatedPhoneInfo == phoneNumber
          || $0.phoneInfo?.obfuscated == phoneNumber.text
      }
      guard let factor else { throw APIError(.mfaEnrollmentNotFound) }
      return try finish(user, provider, factor, project, context)
    } catch {
      throw error.keepingWrites
    }
  }

  private static func finish(
    _ user: User, _ provider: String, _ factor: MfaEnrollment, _ project: ProjectTransaction,
    _ context: Context
  ) throws(APIError) -> Outcome {
    if user.isDisabled { throw APIError(.userDisabled) }
    var user = user
    user.lastLoginAt = .milliseconds(of: context.now)
    var facts = BlockingFacts(signInMethod: provider)
    facts.secondFactor = factor.kind
    return try project.signingIn(user, facts, context) {
      user, signIn, project, context throws(APIError) in
      var signIn = signIn
      signIn.secondFactor = SignInFacts.SecondFactor(
        identifier: factor.mfaEnrollmentId, provider: factor.kind)
      return try project.answerWithTokens(user, signIn, [:], context)
    }
  }
}
