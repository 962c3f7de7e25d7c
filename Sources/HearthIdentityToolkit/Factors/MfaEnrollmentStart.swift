import HearthErrors
import HearthOperations
import HearthWire

/// Begins to enrol a second factor: sends a code, or makes the secret of an authenticator app.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaEnrollment/start
enum MfaEnrollmentStart: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let phone: Phone?
    let hasTotp: Bool

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      phone = wire.object("phoneEnrollmentInfo").map(Phone.init)
      hasTotp = wire.has("totpEnrollmentInfo")
    }

    /// `phoneEnrollmentInfo`.
    struct Phone {
      let phoneNumber: String?

      init(_ info: JSONObject) { phoneNumber = info["phoneNumber"]?.string }
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let wantsTotp = request.hasTotp && request.phone == nil
    try wantsTotp ? project.requireTotpFactors() : project.requireSMSFactors()
    let user = try project.userEnrolling(idToken: request.idToken, context).user
    guard user.emailVerified == .yes else {
      throw APIError(.unverifiedEmail)
    }
    if wantsTotp {
      return .json(["totpSessionInfo": try project.startTotpEnrollment(of: user, context)])
    }
    guard let phone = request.phone else {
      throw APIError(.badArgument, "((Missing phoneEnrollmentInfo.))")
    }
    guard let phoneNumber = phone.phoneNumber.flatMap(PhoneNumber.init(_:)) else {
      throw APIError(.invalidPhoneNumber)
    }
    try user.requireUnenrolled(phoneNumber)
    let session = try project.sendCode(to: phoneNumber, .enrollment, context)
    return .json(["phoneSessionInfo": .members(["sessionInfo": .string(session)])])
  }
}

extension User {
  func requireUnenrolled(_ phoneNumber: PhoneNumber) throws(APIError) {
    if (mfaInfo ?? []).contains(where: { $0.unobfuscatedPhoneInfo == phoneNumber }) {
      throw APIError(.secondFactorExists)
    }
  }
}
