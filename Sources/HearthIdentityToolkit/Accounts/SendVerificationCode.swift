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
    let isProduction = try project.answersAsProduction
    if project.tenantId != nil, !isProduction { throw APIError(.unsupportedTenantOperation) }
    if isProduction { try project.requirePhoneSignIn() }
    guard let given = request.phoneNumber, let phoneNumber = try project.phoneNumber(given) else {
      throw APIError(.invalidPhoneNumber)
    }
    let owner = try project.user(phoneNumber: phoneNumber)
    if owner?.hasSecondFactor == true { throw .phoneCannotBeFirstFactor }
    if isProduction, owner == nil, try project.refusesSignUps {
      throw APIError(.adminOnlyOperation)
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

extension ProjectTransaction {
  /// Refuses where `signIn.phoneNumber` of the project is off.
  fileprivate func requirePhoneSignIn() throws(APIError) {
    let enabled = try settings().config["signIn"]?["phoneNumber"]?["enabled"]
    if enabled == false || enabled == .null { throw APIError(.operationNotAllowed) }
  }

  /// `client.permissions.disabledUserSignup` of the project or tenant.
  var refusesSignUps: Bool {
    get throws(APIError) {
      try settings().config["client"]?["permissions"]?["disabledUserSignup"]?.bool == true
    }
  }
}
