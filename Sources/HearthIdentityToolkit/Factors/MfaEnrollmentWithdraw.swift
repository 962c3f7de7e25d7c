import HearthErrors
import HearthOperations
import HearthWire

/// Removes a second factor.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaEnrollment/withdraw
enum MfaEnrollmentWithdraw: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let mfaEnrollmentId: String?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      mfaEnrollmentId = wire.string("mfaEnrollmentId")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let isProduction = try project.answersAsProduction
    guard request.idToken.isGiven else {
      throw APIError(isProduction ? .invalidIDToken : .missingIDToken)
    }
    let presented = try project.userOfToken(context)
    var user = presented.user
    let id = request.mfaEnrollmentId
    guard let index = user.mfaInfo?.firstIndex(where: { $0.mfaEnrollmentId == id }) else {
      throw APIError(.mfaEnrollmentNotFound)
    }
    user.mfaInfo?.remove(at: index)
    var signIn = SignInFacts(presented.signInProvider ?? "custom")
    if isProduction {
      user.validSince = .seconds(of: context.now)
      if presented.secondFactor?.identifier != id { signIn.secondFactor = presented.secondFactor }
      if user.mfaInfo?.isEmpty == true { user.mfaInfo = nil }
    }
    return try project.answerWithTokens(
      user, signIn, [:], showsExpiry: !isProduction, context)
  }
}
