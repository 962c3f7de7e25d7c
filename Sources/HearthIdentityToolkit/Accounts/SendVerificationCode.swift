import HearthErrors
import HearthOperations
import HearthWire

/// Sends a code to a phone, to sign in with.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/sendVerificationCode
enum SendVerificationCode: Operation {
  struct Request: OperationRequest {
    let phoneNumber: String?

    init(_ wire: WireRequest) {
      phoneNumber = wire.string("phoneNumber")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    if project.tenantId != nil { throw APIError(.unsupportedTenantOperation) }
    guard let phoneNumber = request.phoneNumber.flatMap(PhoneNumber.init(_:)) else {
      throw APIError(.invalidPhoneNumber)
    }
    if try project.user(phoneNumber: phoneNumber)?.hasSecondFactor == true {
      throw .phoneCannotBeFirstFactor
    }
    return .json([
      "sessionInfo": .string(try project.sendCode(to: phoneNumber, .signIn, context))
    ])
  }
}

extension APIError {
  static let phoneCannotBeFirstFactor = APIError(
    .unsupportedFirstFactor,
    "A phone number cannot be set as a first factor on an SMS based MFA user.")
}
