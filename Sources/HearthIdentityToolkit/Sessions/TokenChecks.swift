import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// The user who presented an ID token, and how that user had signed in.
struct PresentedUser {
  var user: User
  /// Nil where the token, made by hand, does not say.
  let signInProvider: String?
  let claims: JSONObject

  /// The second factor of the session.
  var secondFactor: SignInFacts.SecondFactor? {
    guard let id = claims["firebase"]?["second_factor_identifier"]?.string,
      let provider = claims["firebase"]?["sign_in_second_factor"]?.string
    else { return nil }
    return SignInFacts.SecondFactor(identifier: id, provider: provider)
  }
}

extension ProjectTransaction {
  /// Production takes tokens for so many seconds after their end.
  static let productionLeeway: Int64 = 300

  /// The user of the body's `idToken`, checked in the order that clients rely on.
  func userOfToken(_ context: Context) throws(APIError) -> PresentedUser {
    let token = try acceptedToken(context)
    let isProduction = try answersAsProduction
    let provider: String?
    if isProduction, token.claims["iss"]?.string == LegacyToken.issuer {
      provider = token.claims["sign_in_provider"]?.string
      guard token.claims["tenant"]?.string == tenantId else { throw Self.otherTenant }
    } else {
      provider = try checkedProvider(of: token, isProduction)
    }
    guard let localId = token.claims["user_id"]?.string, let user = try user(localId: localId)
    else { throw APIError(.userNotFound) }
    if isProduction {
      try checkTimesAsProduction(token, user, context)
    } else {
      try checkTimes(token, user, context)
    }
    if user.isDisabled { throw APIError(.userDisabled) }
    return PresentedUser(user: user, signInProvider: provider, claims: token.claims)
  }

  private static let otherTenant = APIError(
    .tenantIDMismatch, "Specified tenant ID mismatches with the ID token.")

  private func acceptedToken(_ context: Context) throws(APIError) -> PresentedToken {
    guard let token = context.presentedToken else { throw APIError(.invalidIDToken) }
    guard try accepts(token) else { throw APIError(.invalidIDToken) }
    return token
  }

  /// How the session began, if the token is for this tenant.
  private func checkedProvider(
    of token: PresentedToken, _ isProduction: Bool
  ) throws(APIError) -> String? {
    guard case .object(let firebase)? = token.claims["firebase"] else {
      throw APIError(.invalidIDToken)
    }
    // A session cookie has all claims of an ID token, but is none.
    if isProduction, token.claims["iss"]?.string?.hasPrefix("https://session.") == true {
      throw APIError(.invalidIDToken)
    }
    if let tokenTenant = firebase["tenant"]?.string {
      guard let tenantId else {
        throw APIError(
          .tenantIDMismatch,
          message: "((Parsed token that belongs to tenant in a non-tenant project.))")
      }
      guard tokenTenant == tenantId else {
        throw isProduction ? Self.otherTenant : APIError(.tenantIDMismatch)
      }
    }
    return firebase["sign_in_provider"]?.string
  }

  private func checkTimes(
    _ token: PresentedToken, _ user: User, _ context: Context
  ) throws(APIError) {
    if try hasExpired(token, at: context.now) { throw APIError(.tokenExpired) }
    if let validSince = user.validSince?.fractionalNumber {
      guard let issued = token.claims["iat"]?.seconds, issued >= validSince else {
        throw APIError(.tokenExpired)
      }
    }
  }

  /// In production a token that is past its end is not valid, and `validSince` ends sessions that
  /// began earlier, however new their token is.
  private func checkTimesAsProduction(
    _ token: PresentedToken, _ user: User, _ context: Context
  ) throws(APIError) {
    if server.issuedTokens.isRevoked(token.claims, of: projectId) { throw APIError(.tokenExpired) }
    if try hasExpired(token, at: context.now, leeway: Self.productionLeeway) {
      throw APIError(.invalidIDToken)
    }
    if let validSince = user.validSince?.fractionalNumber {
      let began = token.claims["auth_time"]?.seconds ?? token.claims["iat"]?.seconds
      guard let began, began >= validSince else { throw APIError(.tokenExpired) }
    }
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
