import HearthWire

extension ErrorCode {
  /// What the code looks like on the wire. A code without an entry is an ordinary refusal of Identity
  /// Toolkit.
  package var row: ErrorRow { Self.rows[self] ?? .ordinary }

  package var httpStatus: Int { row.httpStatus }

  private static let rows: [ErrorCode: ErrorRow] = [
    // Canonical statuses.
    .aborted: ErrorRow(.aborted),
    .alreadyExists: ErrorRow(.alreadyExists),
    .cancelled: ErrorRow(.cancelled),
    .dataLoss: ErrorRow(.dataLoss),
    .deadlineExceeded: ErrorRow(.deadlineExceeded),
    .failedPrecondition: ErrorRow(.failedPrecondition),
    .internalError: ErrorRow(.internalError),
    .invalidArgument: ErrorRow(.invalidArgument),
    .notFound: ErrorRow(.notFound),
    .outOfRange: ErrorRow(.outOfRange),
    .permissionDenied: ErrorRow(.permissionDenied),
    .resourceExhausted: ErrorRow(.resourceExhausted),
    .unauthenticated: ErrorRow(.unauthenticated),
    .unavailable: ErrorRow(.unavailable),
    .unimplemented: ErrorRow(.unimplemented),
    .unknown: ErrorRow(.unknown, reason: "TypeError", domain: nil),

    // Requests that reach no operation.
    .forbiddenHost: ErrorRow(.permissionDenied, message: "Host not allowed"),
    .headersTooLarge: ErrorRow(
      .invalidArgument, httpStatus: 431, reason: "badRequest",
      message: "Request header fields exceed the limit."),
    .injectedFault: ErrorRow(.unavailable, reason: "fault", message: "Injected fault."),
    .invalidContentType: .refusal(
      reason: "unknown", domain: nil, message: "Invalid content-type"),
    .invalidCredentials: ErrorRow(
      .unauthenticated,
      message: "Request had invalid authentication credentials. Expected OAuth 2 access token, "
        + "login cookie or other valid authentication credential. "
        + "See https://developers.google.com/identity/sign-in/web/devconsole-project.",
      itemMessage: "Invalid Credentials", header: "Authorization"),
    .invalidField: ErrorRow(
      .invalidArgument, domain: nil, message: "Invalid JSON payload received."),
    .invalidPayload: ErrorRow(.invalidArgument, message: "Invalid JSON payload received."),
    .methodNotAllowed: .refusal(
      .unimplemented, httpStatus: 405, reason: "httpMethodNotAllowed",
      message: "Method not allowed"),
    .missingAPIKey: ErrorRow(
      .permissionDenied, message: "The request is missing a valid API key."),
    .missingPrincipal: ErrorRow(
      .unauthenticated, message: "An API key does not authenticate the caller."),
    .noKeyYet: ErrorRow(.unavailable),
    .notImplemented: {
      var row = ErrorRow(.unimplemented, domain: nil)
      row.status = "NOT_IMPLEMENTED"  // As the official Auth emulator writes it.
      return row
    }(),
    .parseError: ErrorRow(
      .invalidArgument, reason: "parseError", message: "Invalid JSON payload received."),
    .payloadTooLarge: ErrorRow(
      .invalidArgument, httpStatus: 413, reason: "uploadTooLarge",
      message: "Request payload size exceeds the limit."),
    .routeNotFound: ErrorRow(.notFound, domain: nil, message: "Not Found"),
    .unsupportedEncoding: ErrorRow(
      .invalidArgument, httpStatus: 415, reason: "unsupportedMediaProtocol",
      message: "Unsupported content encoding."),

    // Identity Toolkit, where it is not an ordinary refusal.
    .appCheckRefused: ErrorRow(
      .unauthenticated, reason: "unauthorized",
      message: "Firebase App Check token is invalid."),
    .blockingFunctionFailed: ErrorRow(.internalError, domain: nil),
    .configurationExists: ErrorRow(.alreadyExists),
    .configurationNotFound: ErrorRow(.notFound),
    .invalidConfig: ErrorRow(.invalidArgument),
    .policyChanged: ErrorRow(
      .aborted,
      message: "There were concurrent policy changes. Please retry the whole read-modify-write."),
    .quotaExceeded: ErrorRow(.resourceExhausted),
    .tenantMissing: ErrorRow(.notFound),
    .tenantInProject: ErrorRow(
      .internalError, reason: "Can only create tenant in agent project", domain: nil,
      message: "INTERNAL_ERROR : Can only create tenant in agent project"),

    // Cloud Messaging.
    .senderIDMismatch: ErrorRow(.permissionDenied, message: "SenderId mismatch"),
    .thirdPartyAuthError: ErrorRow(
      .unauthenticated, message: "Auth error from APNS or Web Push Service"),
    .unregistered: ErrorRow(.notFound, message: "Requested entity was not found."),

    // Ordinary refusals that always have the same detail.
    .invalidMfaEnrollmentId: .refusal(
      "INVALID_MFA_ENROLLMENT_ID", detail: "mfaEnrollmentId must be defined."),
    .invalidMfaPendingCredential: .refusal(
      "INVALID_MFA_PENDING_CREDENTIAL", detail: "The credential has expired."),
    .invalidMfaPhoneNumber: .refusal("INVALID_MFA_PHONE_NUMBER", detail: "Invalid format."),
    .invalidPhoneNumber: .refusal("INVALID_PHONE_NUMBER", detail: "Invalid format."),
    .invalidProjectId: .refusal(
      "INVALID_PROJECT_ID", detail: "Project ID does not match MFA pending credential."),
    .invalidRequestType: .refusal("INVALID_REQ_TYPE", detail: "Unsupported request parameters."),
    .missingCredential: .refusal(
      "MISSING_CREDENTIAL", detail: "Please set MFA Pending Credential."),
    .missingMfaEnrollmentId: .refusal(
      "MISSING_MFA_ENROLLMENT_ID", detail: "No second factor identifier is provided."),
    .missingMfaPendingCredential: .refusal(
      "MISSING_MFA_PENDING_CREDENTIAL", detail: "Request does not have MFA pending credential."),
    .resetPasswordExceedLimit: .refusal(
      "RESET_PASSWORD_EXCEED_LIMIT", detail: "Too many emails requested. Try again later."),
    .secondFactorExists: .refusal(
      "SECOND_FACTOR_EXISTS",
      detail: "Phone number already enrolled as second factor for this account."),
    .totpChallengeTimeout: .refusal(
      "TOTP_CHALLENGE_TIMEOUT", detail: "TOTP challenge timeout, provide first factor again."),
    .tooManyAttempts: .refusal(
      "TOO_MANY_ATTEMPTS_TRY_LATER",
      detail: "Too many wrong passwords. Reset the password, or try again later."),
    .unauthorizedDomain: .refusal(
      "UNAUTHORIZED_DOMAIN", detail: "Domain not allowlisted by project"),
    .unexpectedParameter: .refusal("UNEXPECTED_PARAMETER", detail: "User ID"),
    .unverifiedEmail: .refusal(
      "UNVERIFIED_EMAIL", detail: "Need to verify email first before enrolling second factors."),
    .weakPassword: .refusal(
      "WEAK_PASSWORD", detail: "Password should be at least 6 characters"),
  ]
}
