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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard request.idToken.isGiven else { throw try SecondFactors(in: project).refusal(.noIDToken) }
    let presented = try Sessions(in: project).userOfToken(context)
    var user = presented.user
    let id = request.mfaEnrollmentId
    guard let index = user.mfaInfo?.firstIndex(where: { $0.mfaEnrollmentId == id }) else {
      throw APIError(.mfaEnrollmentNotFound)
    }
    user.mfaInfo?.remove(at: index)
    var signIn = SignInFacts(presented.signInProvider ?? "custom")
    let rules = try SecondFactors(in: project).enrollmentRules()
    rules.withdraw(id, from: &user, as: presented, signIn: &signIn, context: context)
    return try SecondFactors(in: project).answerWithTokens(
      user, signIn: signIn, extra: [:], showsExpiry: rules.showsExpiry, context: context)
  }
}
