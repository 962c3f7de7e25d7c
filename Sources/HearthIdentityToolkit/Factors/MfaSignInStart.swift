import HearthErrors
import HearthOperations
import HearthWire

/// Sends the code of a second factor.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaSignIn/start
enum MfaSignInStart: Operation {
  struct Request: OperationRequest {
    let mfaPendingCredential: String?
    let mfaEnrollmentId: String?
    let hasPhoneInfo: Bool

    init(_ wire: WireRequest) {
      hasPhoneInfo = wire.has("phoneSignInInfo")
      mfaPendingCredential = wire.string("mfaPendingCredential")
      mfaEnrollmentId = wire.string("mfaEnrollmentId")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let isProduction = try project.answersAsProduction
    if isProduction, !request.hasPhoneInfo { throw .invalidRequest }
    try project.requireSMSFactors()
    guard let credential = request.mfaPendingCredential.nonEmpty else {
      throw isProduction ? .invalidRequest : APIError(.missingMfaPendingCredential)
    }
    guard let id = request.mfaEnrollmentId.nonEmpty else {
      throw isProduction ? .invalidRequest : APIError(.missingMfaEnrollmentId)
    }
    let pending = try project.pendingSignIn(credential, context)
    try project.requireFresh(pending, for: nil, context)
    guard let factor = pending.user.mfaInfo?.first(where: { $0.mfaEnrollmentId == id }) else {
      throw APIError(.mfaEnrollmentNotFound)
    }
    guard let phoneNumber = factor.number else {
      throw isProduction
        ? APIError(.invalidPhoneNumber) : APIError(.badArgument, "MFA provider not supported!")
    }
    let session = try project.sendCode(to: phoneNumber, .secondFactor, context)
    return .json(["phoneResponseInfo": .members(["sessionInfo": .string(session)])])
  }
}
