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
    /// The kinds of factors that are asked for, in the order in which they came.
    let kinds: [String]

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      phone = wire.object("phoneEnrollmentInfo").map(Phone.init)
      hasTotp = wire.has("totpEnrollmentInfo")
      kinds = wire.body.keys.filter { $0.hasSuffix("EnrollmentInfo") }
    }

    /// `phoneEnrollmentInfo`.
    struct Phone {
      let phoneNumber: String?

      init(_ info: JSONObject) { phoneNumber = info["phoneNumber"]?.string }
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let rules = try SecondFactors(in: project).enrollmentRules()
    let wantsTotp = try rules.wantsTotp(request)
    let presented = try rules.userBeginning(
      request, wantsTotp: wantsTotp, in: project, context: context)
    let user = presented.user
    guard user.emailVerified == .yes else {
      throw APIError(.unverifiedEmail)
    }
    try rules.checkSession(presented, in: project, context: context)
    if wantsTotp {
      try rules.requireRoom(in: user, forTotp: true)
      return .json([
        "totpSessionInfo": try SecondFactors(in: project).startTotpEnrollment(of: user, context)
      ])
    }
    guard let phone = request.phone else {
      throw APIError(.badArgument, detail: "((Missing phoneEnrollmentInfo.))")
    }
    guard let phoneNumber = try phone.phoneNumber.flatMap(project.phoneNumber) else {
      throw APIError(.invalidPhoneNumber)
    }
    try user.requireUnenrolled(phoneNumber)
    try rules.requireRoom(in: user, forTotp: false)
    return try VerificationCodes(in: project).sending(
      to: phoneNumber, for: .enrollment, context: context
    ) {
      session in
      .json(["phoneSessionInfo": .members(["sessionInfo": .string(session)])])
    }
  }
}

extension User {
  func requireUnenrolled(_ phoneNumber: PhoneNumber) throws(APIError) {
    if (mfaInfo ?? []).contains(where: { $0.number == phoneNumber }) {
      throw APIError(.secondFactorExists)
    }
  }
}
