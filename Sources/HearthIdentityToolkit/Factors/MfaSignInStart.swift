import HearthErrors
import HearthOperations
import HearthWire

/// Sends the code of a second factor.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaSignIn/start
enum MfaSignInStart: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    try project.requireSMSFactors()
    guard let credential = request.string("mfaPendingCredential").nonEmpty else {
      throw APIError(.missingMfaPendingCredential)
    }
    guard let id = request.string("mfaEnrollmentId").nonEmpty else {
      throw APIError(.missingMfaEnrollmentId)
    }
    let user = try project.pendingUser(credential, context).user
    guard let factor = user.mfaInfo?.first(where: { $0.mfaEnrollmentId == id }) else {
      throw APIError(.mfaEnrollmentNotFound)
    }
    guard let phoneNumber = factor.unobfuscatedPhoneInfo else {
      throw APIError(.badArgument, "MFA provider not supported!")
    }
    let session = try project.sendCode(to: phoneNumber, .secondFactor, context)
    return .json(["phoneResponseInfo": .members(["sessionInfo": .string(session)])])
  }
}
