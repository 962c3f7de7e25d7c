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
    let isProduction = try project.answersAsProduction
    if isProduction, request.phone == nil, request.totp == nil { throw .invalidRequest }
    let totp = request.phone == nil ? request.totp : nil
    try totp == nil ? project.requireSMSFactors() : project.requireTotpFactors()
    guard let credential = request.mfaPendingCredential.nonEmpty else {
      throw isProduction ? .invalidRequest : APIError(.missingCredential)
    }
    if let totp {
      var pending = try project.pendingSignIn(credential, context)
      try project.requireFresh(pending, for: totp, context)
      let factor = try pending.user.redeemTotp(
        totp, request.mfaEnrollmentId, window: try project.totpWindow(),
        isProduction: isProduction, context)
      return try finish(pending, factor, project, context)
    }
    guard let proof = request.phone else {
      throw APIError(.badArgument, "MFA provider not supported!")
    }
    let phoneNumber = try proof.redeem(project, context)
    do throws(APIError) {
      let pending = try project.pendingSignIn(credential, context)
      try project.requireFresh(pending, for: nil, context)
      let factors = pending.user.mfaInfo ?? []
      // iOS knows only the obfuscated number.
      let factor = factors.first {
        $0.number == phoneNumber
          || $0.phoneInfo?.obfuscated == phoneNumber.text
      }
      guard let factor else { throw APIError(.mfaEnrollmentNotFound) }
      return try finish(pending, factor, project, context)
    } catch {
      throw error.keepingWrites
    }
  }

  private static func finish(
    _ pending: PendingSignIn, _ factor: MfaEnrollment, _ project: ProjectTransaction,
    _ context: Context
  ) throws(APIError) -> Outcome {
    var user = pending.user
    let secondFactor = SignInFacts.SecondFactor(
      identifier: factor.mfaEnrollmentId, provider: factor.kind)
    if user.isDisabled {
      // Production looks at this with the first factor only.
      guard try project.answersAsProduction else { throw APIError(.userDisabled) }
      let signIn = SignInFacts(pending.signInProvider, secondFactor: secondFactor)
      return try project.answerWithTokens(user, signIn, [:], context)
    }
    user.lastLoginAt = .milliseconds(of: context.now)
    var facts = BlockingFacts(signInMethod: pending.signInProvider)
    facts.secondFactor = factor.kind
    return try project.signingIn(user, facts, context) {
      user, signIn, project, context throws(APIError) in
      var signIn = signIn
      signIn.secondFactor = secondFactor
      return try project.answerWithTokens(user, signIn, [:], context)
    }
  }
}
