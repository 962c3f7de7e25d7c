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
    guard request.idToken.isGiven else { throw APIError(.missingIDToken) }
    let presented = try project.userOfToken(context)
    var user = presented.user
    let id = request.mfaEnrollmentId
    guard let index = user.mfaInfo?.firstIndex(where: { $0.mfaEnrollmentId == id }) else {
      throw APIError(.mfaEnrollmentNotFound)
    }
    user.mfaInfo?.remove(at: index)
    return try project.answerWithTokens(
      user, SignInFacts(presented.signInProvider ?? "custom"), [:], showsExpiry: true, context)
  }
}
