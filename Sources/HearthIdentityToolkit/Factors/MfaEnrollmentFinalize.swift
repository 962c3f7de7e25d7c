import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Enrols a second factor with a code that proves it.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaEnrollment/finalize
enum MfaEnrollmentFinalize: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let displayName: String?
    let phone: PhoneProof?
    let totp: TotpProof?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      displayName = wire.string("displayName")
      phone = wire.object("phoneVerificationInfo").map(PhoneProof.init)
      totp = wire.object("totpVerificationInfo").map(TotpProof.init)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let rules = try SecondFactors(in: project).enrollmentRules()
    try SecondFactors(in: project).requireProof(request.phone != nil || request.totp != nil)
    let totp = request.phone == nil ? request.totp : nil
    try totp == nil
      ? SecondFactors(in: project).requireSMSFactors()
      : SecondFactors(in: project).requireTotpFactors()
    let presented = try SecondFactors(in: project).userEnrolling(idToken: request.idToken, context)
    var user = presented.user
    var factor = MfaEnrollment(
      mfaEnrollmentId: user.unusedEnrollmentId(rules, context: context), phoneInfo: nil,
      displayName: request.displayName, enrolledAt: rules.timeText(context.now))
    if let totp {
      try SecondFactors(in: project).finishTotpEnrollment(
        of: user, proof: totp, into: &factor, context: context)
    } else {
      guard let proof = request.phone else {
        throw APIError(.badArgument, detail: "((Missing phoneVerificationInfo.))")
      }
      let phoneNumber = try proof.redeem(project, context: context)
      do throws(APIError) {
        try user.requireUnenrolled(phoneNumber)
        try rules.requireRoom(in: user, forTotp: false)
      } catch {
        throw error.keepingWrites
      }
      factor.phoneInfo = phoneNumber
      rules.finish(&user, with: &factor, phone: phoneNumber, context: context)
    }
    user.mfaInfo = (user.mfaInfo ?? []) + [factor]
    let signIn = SignInFacts(
      presented.signInProvider ?? "custom",
      secondFactor: SignInFacts.SecondFactor(
        identifier: factor.mfaEnrollmentId, provider: factor.kind))
    return try SecondFactors(in: project).answerWithTokens(
      user, signIn: signIn,
      extra: [factor.isTotp ? "totpAuthInfo" : "phoneAuthInfo": factor.isTotp ? [:] : nil],
      context: context)
  }
}

extension MfaEnrollment {
  /// `firebase.sign_in_second_factor`.
  var kind: String { isTotp ? "totp" : "phone" }
}

extension User {
  fileprivate func unusedEnrollmentId(
    _ rules: any EnrollmentRules, context: Context
  ) -> String {
    var id: String
    repeat { id = rules.newId(context) } while (mfaInfo ?? []).contains { $0.mfaEnrollmentId == id }
    return id
  }
}

/// `phoneVerificationInfo`: a code and its session, asked for in this order.
struct PhoneProof: Sendable {
  let androidVerificationProof: String?
  let code: String?
  let sessionInfo: String?

  init(_ info: JSONObject) {
    androidVerificationProof = info["androidVerificationProof"]?.string
    code = info["code"]?.string
    sessionInfo = info["sessionInfo"]?.string
  }

  /// The number that the code proves.
  func redeem(_ project: ProjectTransaction, context: Context) throws(APIError) -> PhoneNumber {
    if androidVerificationProof.isGiven {
      throw .notImplemented("androidVerificationProof is unsupported!")
    }
    guard let code = code.nonEmpty else { throw APIError(.missingCode) }
    guard let session = sessionInfo.nonEmpty else {
      throw try SecondFactors(in: project).refusal(.noSession)
    }
    return try VerificationCodes(in: project).redeem(code, session: session, context: context)
  }
}
