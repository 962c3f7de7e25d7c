import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Enrols a second factor with a code that proves it.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaEnrollment/finalize
enum MfaEnrollmentFinalize: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let isTotp = request.has("totpVerificationInfo") && !request.has("phoneVerificationInfo")
    try isTotp ? project.requireTotpFactors() : project.requireSMSFactors()
    let presented = try project.userEnrolling(request, context)
    var user = presented.user
    var factor = MfaEnrollment(
      mfaEnrollmentId: user.unusedEnrollmentId(context), phoneInfo: nil,
      displayName: request.string("displayName"), enrolledAt: context.now.iso8601)
    if isTotp {
      let info = request.object("totpVerificationInfo") ?? JSONObject()
      try project.finishTotpEnrollment(of: user, info, into: &factor, context)
    } else {
      let phoneNumber = try PhoneProof(request).redeem(project, context)
      do throws(APIError) {
        try user.requireUnenrolled(phoneNumber)
      } catch {
        throw error.keepingWrites
      }
      factor.phoneInfo = phoneNumber
      factor.unobfuscatedPhoneInfo = phoneNumber
    }
    user.mfaInfo = (user.mfaInfo ?? []) + [factor]
    let signIn = SignInFacts(
      presented.signInProvider ?? "custom",
      secondFactor: SignInFacts.SecondFactor(
        identifier: factor.mfaEnrollmentId, provider: factor.kind))
    return try project.answerWithTokens(
      user, signIn, [isTotp ? "totpAuthInfo" : "phoneAuthInfo": isTotp ? [:] : nil], context)
  }
}

extension MfaEnrollment {
  /// `firebase.sign_in_second_factor`.
  var kind: String { isTotp ? "totp" : "phone" }
}

extension User {
  fileprivate func unusedEnrollmentId(_ context: Context) -> String {
    var id: String
    repeat {
      id = context.random.alphanumeric(28)
    } while (mfaInfo ?? []).contains { $0.mfaEnrollmentId == id }
    return id
  }
}

/// `phoneVerificationInfo`: a code and its session, asked for in this order.
struct PhoneProof {
  private let info: JSONObject

  init(_ request: WireRequest) throws(APIError) {
    guard let info = request.object("phoneVerificationInfo") else {
      throw APIError(.badArgument, "((Missing phoneVerificationInfo.))")
    }
    self.info = info
  }

  init(_ info: JSONObject) { self.info = info }

  /// The number that the code proves.
  func redeem(_ project: ProjectTransaction, _ context: Context) throws(APIError) -> String {
    if info["androidVerificationProof"]?.isTruthy == true {
      throw .notImplemented("androidVerificationProof is unsupported!")
    }
    guard let code = (info["code"]?.string).nonEmpty else { throw APIError(.missingCode) }
    guard let session = (info["sessionInfo"]?.string).nonEmpty else {
      throw APIError(.missingSessionInfo)
    }
    return try project.redeemCode(code, session: session, context)
  }
}
