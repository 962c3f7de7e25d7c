import HearthErrors
import HearthOperations
import HearthWire

/// Sends the code of a second factor.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaSignIn/start
enum MfaSignInStart: Operation {
  struct Request: OperationRequest {
    let mfaPendingCredential: String?
    let mfaEnrollmentId: String?

    init(_ wire: WireRequest) {
      mfaPendingCredential = wire.string("mfaPendingCredential")
      mfaEnrollmentId = wire.string("mfaEnrollmentId")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    try project.requireSMSFactors()
    guard let credential = request.mfaPendingCredential.nonEmpty else {
      throw APIError(.missingMfaPendingCredential)
    }
    guard let id = request.mfaEnrollmentId.nonEmpty else {
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
