import HearthErrors
import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTokens
import HearthWire

/// How a custom token is read, where the two programs do it differently.
protocol CustomTokenRules: Sendable {
  func token(of request: SignInWithCustomToken.Request) -> String?
  func payload(
    of token: String, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> JSONObject
  func localId(in payload: JSONObject) throws(APIError) -> String?
}

extension ProjectTransaction {
  func customTokenRules() throws(APIError) -> any CustomTokenRules {
    switch try answers {
    case .emulator: LooseCustomTokens()
    case .production: StrictCustomTokens()
    }
  }
}

/// The signature can be checked only as Google: it is made with the key of a service account.
enum CustomToken {
  /// Verifies that the service account has signed the token, as its issuer and subject.
  static func verify(
    _ text: String, google: GoogleMode, at times: [Timestamp]
  ) throws(APIError) {
    let assertion: Assertion
    do throws(Assertion.Refusal) {
      assertion = try google.serviceAccounts.assertion(text, at: times)
    } catch {
      throw APIError(.invalidCustomToken, detail: error.description)
    }
    guard assertion.isOfItself else {
      throw APIError(.invalidCustomToken, detail: Assertion.Refusal.issuer.description)
    }
  }
}

/// As the official emulator does it.
private struct LooseCustomTokens: CustomTokenRules {
  func token(of request: SignInWithCustomToken.Request) -> String? { request.token.nonEmpty }

  func payload(
    of token: String, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> JSONObject {
    let acceptsUnsigned = try project.switches().acceptUnsignedTokens
    if token.utf8.first == UInt8(ascii: "{") {
      guard acceptsUnsigned, case .object(let object)? = try? JSON.parse(token) else {
        throw APIError(
          .invalidCustomToken,
          detail: "((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
      }
      return object
    }
    let jwt = JWT(token)
    if let tenantId = project.tenantId, jwt?.claims["tenant_id"]?.string != tenantId {
      throw APIError(.tenantIDMismatch)
    }
    guard let jwt else { throw APIError(.invalidCustomToken, detail: "Invalid assertion format") }
    if jwt.algorithm == "none" {
      guard acceptsUnsigned else {
        throw APIError(.invalidCustomToken, detail: "Unsigned tokens are not accepted.")
      }
    } else if project.server.google == nil {
      project.outbox.notices.insert(.unverifiedCustomToken)
    }
    guard jwt.claims["aud"]?.string == SignInWithCustomToken.audience else {
      throw wrongAudience(jwt.claims["aud"])
    }
    return jwt.claims
  }

  private func wrongAudience(_ audience: JSON?) -> APIError {
    let shown = audience?.string ?? audience?.text ?? "undefined"
    return APIError(
      .invalidCustomToken,
      detail:
        "((Invalid aud (audience): \(shown) Note: Firebase ID Tokens / third-party tokens cannot be "
        + "used with signInWithCustomToken.))")
  }

  /// `uid`, or `user_id` where `uid` is of no use; numbers and booleans become text.
  func localId(in payload: JSONObject) -> String? {
    for name in ["uid", "user_id"] {
      switch payload[name] {
      case .string(let text)?: return text.isEmpty ? nil : text
      case .int(let number)?: return String(number)
      case .double(let number)?: return JavaScriptNumber.text(number)
      case .bool(let flag)?: return String(flag)
      case .null?, .array?, .object?, nil: continue
      }
    }
    return nil
  }
}

/// As production does it.
private struct StrictCustomTokens: CustomTokenRules {
  private static let longestLife: Int64 = 3600
  private static let longestId = 128
  private static let leeway: Int64 = 300

  func token(of request: SignInWithCustomToken.Request) -> String? { request.token }

  func payload(
    of text: String, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> JSONObject {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw APIError(
        .invalidCustomToken, detail: "Invalid assertion format. 3 dot separated segments required.")
    }
    let acceptsUnsigned = try project.switches().acceptUnsignedTokens
    if parts[2].isEmpty, !acceptsUnsigned {
      throw APIError(.invalidCustomToken, detail: "Missing signature.")
    }
    guard let jwt = JWT(text), acceptsUnsigned || jwt.algorithm == "RS256" else {
      throw APIError(.invalidCustomToken)
    }
    let claims = jwt.claims
    guard claims["aud"]?.string == SignInWithCustomToken.audience, claims["iss"] == claims["sub"],
      isInTime(claims, now: context.now.seconds)
    else { throw APIError(.invalidCustomToken) }
    try checkTenant(claims, project: project)
    return claims
  }

  private func isInTime(_ claims: JSONObject, now: Int64) -> Bool {
    guard let issued = claims["iat"]?.integer, let expiry = claims["exp"]?.integer else {
      return false
    }
    guard (0..<Int64(UInt32.max)).contains(issued), (0..<Int64(UInt32.max) * 2).contains(expiry)
    else { return false }
    return issued <= now + Self.leeway && expiry - issued <= Self.longestLife
      && now < expiry + Self.leeway
  }

  private func checkTenant(
    _ claims: JSONObject, project: ProjectTransaction
  ) throws(APIError) {
    let named = claims["tenant_id"]?.string
    guard named != project.tenantId else { return }
    // As recorded: a token without a tenant cannot be used in one, and production stumbles over it.
    guard named != nil else {
      throw APIError(.internalError, message: "Internal error encountered.").because(
        "a custom token without tenant_id was used in a tenant, and production answers that so")
    }
    throw APIError(
      .tenantIDMismatch, detail: "Specified tenant ID does not match the custom token.")
  }

  /// `uid`; numbers and booleans become text.
  func localId(in payload: JSONObject) throws(APIError) -> String? {
    let id: String
    switch payload["uid"] {
    case .string(let text)?: id = text
    case .int(let number)?: id = String(number)
    case .double(let number)?: id = JavaScriptNumber.text(number)
    case .bool(let flag)?: id = String(flag)
    case .null?, .array?, .object?, nil: return nil
    }
    guard (1...Self.longestId).contains(id.utf16.count) else {
      throw APIError(
        .invalidIdentifier,
        detail: "Invalid user ID length. Expect to have length between 1 and \(Self.longestId).")
    }
    return id
  }
}
