import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// How sessions begin, last and end, where the two programs do it differently.
protocol SessionRules: Sendable {
  /// What is said of a tenant that is switched off.
  var disabledTenant: ErrorCode { get }
  /// What is said of a refresh token whose account is gone.
  var refreshTokenOfNobody: ErrorCode { get }
  /// Whether who does not ask for a session has one.
  var alwaysBeginSessions: Bool { get }
  /// Whether a cookie for no time lasts as long as possible.
  var takesZeroDuration: Bool { get }
  /// Whether the header of a session cookie says what it is.
  var cookiesHaveType: Bool { get }
  /// Whether SAML attributes are in later tokens too.
  var keepsSignInAttributes: Bool { get }

  /// What is looked at before a refresh token.
  func checkRefresh(in project: ProjectTransaction) throws(APIError)
  func hasEnded(_ session: RefreshTokenRecord, of user: User) -> Bool
  /// When the session began, where a token says that and not when the user signed in last.
  func authTime(ofSessionSince seconds: Int64) -> Int64?

  /// How the session of a token began, if the token is for this tenant.
  func provider(
    of token: PresentedToken, in project: ProjectTransaction
  ) throws(APIError) -> String?
  func checkTimes(
    of token: PresentedToken, user: User, in project: ProjectTransaction, context: Context
  ) throws(APIError)
  func checkCookieClaims(_ claims: JSONObject) throws(APIError)
}

extension Sessions {
  func rules() throws(APIError) -> any SessionRules {
    switch try answers {
    case .emulator: LooseSessions()
    case .production: StrictSessions()
    }
  }

  /// Whether a sign-in that asks so begins a session, and does not answer an old ID token alone.
  func beginsSession(_ returnsSecureToken: Bool) throws(APIError) -> Bool {
    returnsSecureToken ? true : try rules().alwaysBeginSessions
  }
}

/// As the official emulator does it.
private struct LooseSessions: SessionRules {
  var disabledTenant: ErrorCode { .projectDisabled }
  var refreshTokenOfNobody: ErrorCode { .invalidRefreshToken }
  var alwaysBeginSessions: Bool { true }
  var takesZeroDuration: Bool { true }
  var cookiesHaveType: Bool { true }
  var keepsSignInAttributes: Bool { false }

  func checkRefresh(in project: ProjectTransaction) {}

  func hasEnded(_ session: RefreshTokenRecord, of user: User) -> Bool { session.isRevoked }

  func authTime(ofSessionSince seconds: Int64) -> Int64? { nil }

  func provider(
    of token: PresentedToken, in project: ProjectTransaction
  ) throws(APIError) -> String? {
    try token.provider(in: project, otherTenant: APIError(.tenantIDMismatch))
  }

  func checkTimes(
    of token: PresentedToken, user: User, in project: ProjectTransaction, context: Context
  ) throws(APIError) {
    if try project.hasExpired(token, at: context.now) { throw APIError(.tokenExpired) }
    if let validSince = user.validSince?.fractionalNumber {
      guard let issued = token.claims["iat"]?.seconds, issued >= validSince else {
        throw APIError(.tokenExpired)
      }
    }
  }

  func checkCookieClaims(_ claims: JSONObject) {}
}

/// As production does it.
private struct StrictSessions: SessionRules {
  /// Tokens are taken for so many seconds after their end.
  private static let leeway: Int64 = 300

  private static let otherTenant = APIError(
    .tenantIDMismatch, detail: "Specified tenant ID mismatches with the ID token.")

  var disabledTenant: ErrorCode { .tenantDisabled }
  var refreshTokenOfNobody: ErrorCode { .userNotFound }
  var alwaysBeginSessions: Bool { false }
  var takesZeroDuration: Bool { false }
  var cookiesHaveType: Bool { false }
  var keepsSignInAttributes: Bool { true }

  func checkRefresh(in project: ProjectTransaction) throws(APIError) {
    try project.requireAuthEnabled()
  }

  /// One that began before the user's `validSince` has ended too.
  func hasEnded(_ session: RefreshTokenRecord, of user: User) -> Bool {
    if session.isRevoked { return true }
    return user.validSince?.fractionalNumber.map { Double(session.issuedAt) < $0 } ?? false
  }

  func authTime(ofSessionSince seconds: Int64) -> Int64? { seconds }

  func provider(
    of token: PresentedToken, in project: ProjectTransaction
  ) throws(APIError) -> String? {
    guard token.claims["iss"]?.string == LegacyToken.issuer else {
      return try token.provider(in: project, otherTenant: Self.otherTenant)
    }
    guard token.claims["tenant"]?.string == project.tenantId else { throw Self.otherTenant }
    return token.claims["sign_in_provider"]?.string
  }

  /// A token that is past its end is not valid, and `validSince` ends sessions that began earlier,
  /// however new their token is.
  func checkTimes(
    of token: PresentedToken, user: User, in project: ProjectTransaction, context: Context
  ) throws(APIError) {
    if project.server.issuedTokens.isRevoked(token.claims, of: project.projectId) {
      throw APIError(.tokenExpired)
    }
    if try project.hasExpired(token, at: context.now, leeway: Self.leeway) {
      throw APIError(.invalidIDToken)
    }
    if let validSince = user.validSince?.fractionalNumber {
      let began = token.claims["auth_time"]?.seconds ?? token.claims["iat"]?.seconds
      guard let began, began >= validSince else { throw APIError(.tokenExpired) }
    }
  }

  func checkCookieClaims(_ claims: JSONObject) throws(APIError) {
    if claims["firebase"] == nil { throw APIError(.invalidIDToken) }
  }
}

extension PresentedToken {
  /// How the session began, if the token is for this tenant.
  fileprivate func provider(
    in project: ProjectTransaction, otherTenant: APIError
  ) throws(APIError) -> String? {
    guard case .object(let firebase)? = claims["firebase"] else {
      throw APIError(.invalidIDToken)
    }
    if let tokenTenant = firebase["tenant"]?.string {
      guard let tenantId = project.tenantId else {
        throw APIError(
          .tenantIDMismatch,
          message: "((Parsed token that belongs to tenant in a non-tenant project.))")
      }
      guard tokenTenant == tenantId else { throw otherTenant }
    }
    return firebase["sign_in_provider"]?.string
  }
}

extension JSON {
  /// A time of a token. Tokens made by hand have fractions at times.
  fileprivate var seconds: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    case .string(let text): Double(text)
    case .null, .bool, .array, .object: nil
    }
  }
}
