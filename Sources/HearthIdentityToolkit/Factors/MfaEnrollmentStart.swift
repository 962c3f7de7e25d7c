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
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let isProduction = try project.answersAsProduction
    let wantsTotp = request.hasTotp && (isProduction || request.phone == nil)
    if isProduction { try checkKinds(request) }
    if !isProduction {
      try wantsTotp ? project.requireTotpFactors() : project.requireSMSFactors()
    }
    let presented = try project.userEnrolling(idToken: request.idToken, context)
    if isProduction {
      try wantsTotp ? project.requireTotpFactors() : project.requireSMSFactors()
    }
    let user = presented.user
    guard user.emailVerified == .yes else {
      throw APIError(.unverifiedEmail)
    }
    if isProduction { try project.requireRecentLogin(presented.claims, context) }
    if wantsTotp {
      if isProduction { try user.requireRoomForTotp() }
      return .json(["totpSessionInfo": try project.startTotpEnrollment(of: user, context)])
    }
    guard let phone = request.phone else {
      throw APIError(.badArgument, "((Missing phoneEnrollmentInfo.))")
    }
    guard let phoneNumber = try phone.phoneNumber.flatMap(project.phoneNumber) else {
      throw APIError(.invalidPhoneNumber)
    }
    try user.requireUnenrolled(phoneNumber)
    if isProduction { try user.requireRoomForPhone() }
    let session = try project.sendCode(to: phoneNumber, .enrollment, context)
    return .json(["phoneSessionInfo": .members(["sessionInfo": .string(session)])])
  }

  private static func checkKinds(_ request: Request) throws(APIError) {
    if request.kinds.count > 1 { throw .secondOfOneof("enrollment_info", request.kinds[1]) }
    guard request.phone != nil || request.hasTotp else { throw .invalidRequest }
  }
}

extension APIError {
  /// What production says of a request that lacks something, or has too much.
  static let invalidRequest = APIError(
    .invalidArgument, message: "Request contains an invalid argument.")

  /// Two fields of which a message can have one only.
  static func secondOfOneof(
    _ oneof: String, _ field: String, at path: String = ""
  ) -> APIError {
    let place = path.isEmpty ? "" : " at '\(path)'"
    let text =
      "Invalid value\(place) (oneof), oneof field '\(oneof)' is already set. Cannot set '\(field)'"
    return .invalidFields([(path, text)])
  }
}

extension User {
  func requireUnenrolled(_ phoneNumber: PhoneNumber) throws(APIError) {
    if (mfaInfo ?? []).contains(where: { $0.number == phoneNumber }) {
      throw APIError(.secondFactorExists)
    }
  }
}
