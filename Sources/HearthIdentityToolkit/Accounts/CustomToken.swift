import HearthErrors
import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTokens
import HearthWire

/// A custom token with the checks that production makes. The signature can be checked only as Google: it
/// is made with the key of a service account.
enum CustomToken {
  private static let longestLife: Int64 = 3600
  private static let longestId = 128

  static func payload(
    of text: String, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> JSONObject {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw APIError(
        .invalidCustomToken, "Invalid assertion format. 3 dot separated segments required.")
    }
    let acceptsUnsigned = try project.switches().acceptUnsignedTokens
    if parts[2].isEmpty, !acceptsUnsigned {
      throw APIError(.invalidCustomToken, "Missing signature.")
    }
    guard let jwt = JWT(text), acceptsUnsigned || jwt.algorithm == "RS256" else {
      throw APIError(.invalidCustomToken)
    }
    let claims = jwt.claims
    guard claims["aud"]?.string == SignInWithCustomToken.audience, claims["iss"] == claims["sub"],
      isInTime(claims, context.now.seconds)
    else { throw APIError(.invalidCustomToken) }
    try checkTenant(claims, project)
    return claims
  }

  /// Verifies that the service account has signed the token, as its issuer and subject.
  static func verify(
    _ text: String, _ google: GoogleMode, at times: [Timestamp]
  ) throws(APIError) {
    let assertion: Assertion
    do throws(Assertion.Refusal) {
      assertion = try google.serviceAccounts.assertion(text, at: times)
    } catch {
      throw APIError(.invalidCustomToken, error.description)
    }
    guard assertion.isOfItself else {
      throw APIError(.invalidCustomToken, Assertion.Refusal.issuer.description)
    }
  }

  private static func isInTime(_ claims: JSONObject, _ now: Int64) -> Bool {
    guard let issued = claims["iat"]?.integer, let expiry = claims["exp"]?.integer else {
      return false
    }
    let leeway = ProjectTransaction.productionLeeway
    guard (0..<Int64(UInt32.max)).contains(issued), (0..<Int64(UInt32.max) * 2).contains(expiry)
    else { return false }
    return issued <= now + leeway && expiry - issued <= longestLife && now < expiry + leeway
  }

  private static func checkTenant(
    _ claims: JSONObject, _ project: ProjectTransaction
  ) throws(APIError) {
    let named = claims["tenant_id"]?.string
    guard named != project.tenantId else { return }
    // As recorded: a token without a tenant cannot be used in one, and production stumbles over it.
    guard named != nil else {
      throw APIError(.internalError, message: "Internal error encountered.")
    }
    throw APIError(
      .tenantIDMismatch, "Specified tenant ID does not match the custom token.")
  }

  /// `uid`; numbers and booleans become text.
  static func localId(in payload: JSONObject) throws(APIError) -> String? {
    let id: String
    switch payload["uid"] {
    case .string(let text)?: id = text
    case .int(let number)?: id = String(number)
    case .double(let number)?: id = JavaScriptNumber.text(number)
    case .bool(let flag)?: id = String(flag)
    case .null?, .array?, .object?, nil: return nil
    }
    guard (1...longestId).contains(id.utf16.count) else {
      throw APIError(
        .invalidIdentifier,
        "Invalid user ID length. Expect to have length between 1 and \(longestId).")
    }
    return id
  }
}
