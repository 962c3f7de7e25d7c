/// How a request can end. A definition gives the reply to each.
package enum Outcome: String, Sendable, CaseIterable {
  // Asking for a reset.
  case accepted, unknownAccount, tooManyRequests, tooSoon
  // Requests that cannot be understood.
  case badRequest, malformedBody, missingField, malformedEmail, malformedPhone
  // Tokens.
  case valid, invalidToken, malformedToken, unknownToken, usedToken, expiredToken, exhaustedToken
  // The new password.
  case reset, weakPassword, passwordMismatch
  // Sessions.
  case signedIn, wrongCredentials, disabledAccount, found, refreshed, signedOut, unauthorized
  // Requests for which there is no endpoint.
  case notFound, methodNotAllowed

  /// The more general outcome whose reply serves where this one has none of its own.
  var general: Outcome? {
    switch self {
    case .malformedBody, .missingField, .malformedEmail, .malformedPhone: .badRequest
    case .malformedToken: .unknownToken
    case .unknownToken, .usedToken, .expiredToken, .exhaustedToken: .invalidToken
    case .tooSoon: .tooManyRequests
    case .passwordMismatch: .weakPassword
    case .disabledAccount: .wrongCredentials
    case .refreshed: .signedIn
    case .methodNotAllowed: .notFound
    case .accepted, .unknownAccount, .tooManyRequests, .badRequest, .valid, .invalidToken, .reset,
      .weakPassword, .signedIn, .wrongCredentials, .found, .signedOut, .unauthorized, .notFound:
      nil
    }
  }

  /// This outcome and those after it.
  var chain: [Outcome] { [self] + (general?.chain ?? []) }

  /// What a reply can have filled in, beside what every reply can.
  var placeholders: Set<Placeholder> {
    switch self {
    case .accepted, .unknownAccount: [.email, .phone, .lifetime, .minutes]
    case .tooManyRequests, .tooSoon: [.email, .phone, .retryAfter]
    case .missingField: [.field]
    case .weakPassword, .passwordMismatch: [.problem]
    case .valid: Placeholder.account.union(Placeholder.expiry)
    case .reset, .found: Placeholder.account
    case .signedIn, .refreshed:
      Placeholder.account.union(Placeholder.expiry).union([.session, .refresh])
    case .badRequest, .malformedBody, .malformedEmail, .malformedPhone, .invalidToken,
      .malformedToken, .unknownToken, .usedToken, .expiredToken, .exhaustedToken,
      .wrongCredentials, .disabledAccount, .signedOut, .unauthorized, .notFound, .methodNotAllowed:
      []
    }
  }
}
