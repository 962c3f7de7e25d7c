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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    try project.requirePhonesInTenant()
    guard try project.allows(.phone) else { throw APIError(.operationNotAllowed) }
    guard let given = request.phoneNumber, let phoneNumber = try project.phoneNumber(given) else {
      throw APIError(.invalidPhoneNumber)
    }
    let owner = try Accounts(in: project).user(phoneNumber: phoneNumber)
    if owner?.hasSecondFactor == true { throw .phoneCannotBeFirstFactor }
    if owner == nil { try project.requireClientPermission(.signUp) }
    return try VerificationCodes(in: project).sending(
      to: phoneNumber, for: .signIn, context: context
    ) {
      session in
      .json(["sessionInfo": .string(session)])
    }
  }
}

extension APIError {
  static let phoneCannotBeFirstFactor = APIError(
    .unsupportedFirstFactor,
    detail: "A phone number cannot be set as a first factor on an SMS based MFA user.")
}

extension ProjectTransaction {
  /// Production has no sign-in by phone in tenants.
  func requirePhonesInTenant() throws(APIError) {
    if tenantId != nil { throw APIError(.unsupportedTenantOperation) }
  }
}
