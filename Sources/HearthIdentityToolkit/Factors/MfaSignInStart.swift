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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    try SecondFactors(in: project).requireProof(request.hasPhoneInfo)
    try SecondFactors(in: project).requireSMSFactors()
    guard let credential = request.mfaPendingCredential.nonEmpty else {
      throw try SecondFactors(in: project).refusal(
        .noPendingCredential(.missingMfaPendingCredential))
    }
    guard let id = request.mfaEnrollmentId.nonEmpty else {
      throw try SecondFactors(in: project).refusal(.noEnrollmentId)
    }
    let pending = try SecondFactors(in: project).pendingSignIn(
      credential, for: nil, context: context)
    guard let factor = pending.user.mfaInfo?.first(where: { $0.mfaEnrollmentId == id }) else {
      throw APIError(.mfaEnrollmentNotFound)
    }
    guard let phoneNumber = factor.number else {
      throw try SecondFactors(in: project).refusal(.notAPhone)
    }
    return try VerificationCodes(in: project).sending(
      to: phoneNumber, for: .secondFactor, context: context
    ) {
      session in
      .json(["phoneResponseInfo": .members(["sessionInfo": .string(session)])])
    }
  }
}
