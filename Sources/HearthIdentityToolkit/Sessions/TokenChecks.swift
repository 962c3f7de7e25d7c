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
}

extension ProjectTransaction {
  /// The user of the body's `idToken`, checked in the order that clients rely on.
  func userOfToken(_ context: Context) throws(APIError) -> PresentedUser {
    let token = try acceptedToken(context)
    guard case .object(let firebase)? = token.claims["firebase"] else {
      throw APIError(.invalidIDToken)
    }
    if let tokenTenant = firebase["tenant"]?.string {
      guard let tenantId else {
        throw APIError(
          .tenantIDMismatch,
          message: "((Parsed token that belongs to tenant in a non-tenant project.))")
      }
      guard tokenTenant == tenantId else { throw APIError(.tenantIDMismatch) }
    }
    guard let localId = token.claims["user_id"]?.string, let user = try user(localId: localId)
    else { throw APIError(.userNotFound) }
    try checkTimes(token, user, context)
    if user.isDisabled { throw APIError(.userDisabled) }
    return PresentedUser(
      user: user, signInProvider: firebase["sign_in_provider"]?.string, claims: token.claims)
  }

  private func acceptedToken(_ context: Context) throws(APIError) -> PresentedToken {
    guard let token = context.presentedToken else { throw APIError(.invalidIDToken) }
    guard try accepts(token) else { throw APIError(.invalidIDToken) }
    return token
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
