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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    try SecondFactors(in: project).requireProof(request.phone != nil || request.totp != nil)
    let totp = request.phone == nil ? request.totp : nil
    try totp == nil
      ? SecondFactors(in: project).requireSMSFactors()
      : SecondFactors(in: project).requireTotpFactors()
    guard let credential = request.mfaPendingCredential.nonEmpty else {
      throw try SecondFactors(in: project).refusal(.noPendingCredential(.missingCredential))
    }
    if let totp {
      var pending = try SecondFactors(in: project).pendingSignIn(
        credential, for: totp, context: context)
      let factor = try Attempts(in: project).limitingTotpCodes(
        of: pending.user.localId, context: context
      ) {
        () throws(APIError) in
        try pending.user.redeemTotp(
          totp, enrollmentId: request.mfaEnrollmentId, in: project, context: context)
      }
      return try finish(pending, factor: factor, project: project, context: context)
    }
    guard let proof = request.phone else {
      throw APIError(.badArgument, detail: "MFA provider not supported!")
    }
    let phoneNumber = try proof.redeem(project, context: context)
    do throws(APIError) {
      let pending = try SecondFactors(in: project).pendingSignIn(
        credential, for: nil, context: context)
      let factors = pending.user.mfaInfo ?? []
      // iOS knows only the obfuscated number.
      let factor = factors.first {
        $0.number == phoneNumber
          || $0.phoneInfo?.obfuscated == phoneNumber.text
      }
      guard let factor else { throw APIError(.mfaEnrollmentNotFound) }
      return try finish(pending, factor: factor, project: project, context: context)
    } catch {
      throw error.keepingWrites
    }
  }

  private static func finish(
    _ pending: PendingSignIn, factor: MfaEnrollment, project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> Outcome {
    var user = pending.user
    let secondFactor = SignInFacts.SecondFactor(
      identifier: factor.mfaEnrollmentId, provider: factor.kind)
    if user.isDisabled {
      switch try project.answers {
      case .emulator: throw APIError(.userDisabled)
      case .production:
        // It has looked at this with the first factor.
        let signIn = SignInFacts(pending.signInProvider, secondFactor: secondFactor)
        return try SecondFactors(in: project).answerWithTokens(
          user, signIn: signIn, extra: [:], context: context)
      }
    }
    user.lastLoginAt = .milliseconds(of: context.now)
    var facts = BlockingFacts(signInMethod: pending.signInProvider)
    facts.secondFactor = factor.kind
    return try BlockingFunctions(in: project).signingIn(user, facts: facts, context: context) {
      user, signIn, project, context throws(APIError) in
      var signIn = signIn
      signIn.secondFactor = secondFactor
      return try SecondFactors(in: project).answerWithTokens(
        user, signIn: signIn, extra: [:], context: context)
    }
  }
}
