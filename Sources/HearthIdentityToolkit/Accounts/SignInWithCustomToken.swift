import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// Signs in with a token that an administrator made.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithCustomToken
///
/// Admin SDKs that talk to an emulator sign nothing; others sign with a service account's key that
/// nobody but Google knows. So a signature cannot be checked here, and is not; except as Google, where
/// the service account is Hearth's own.
enum SignInWithCustomToken: Operation {
  static let audience =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

  struct Request: OperationRequest {
    let token: String?
    let returnsSecureToken: Bool

    init(_ wire: WireRequest) {
      token = wire.string("token")
      returnsSecureToken = wire.bool("returnSecureToken") == true
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let isProduction = try project.answersAsProduction
    guard let token = isProduction ? request.token : request.token.nonEmpty else {
      throw APIError(.missingCustomToken)
    }
    if let google = project.server.google {
      try CustomToken.verify(token, google, at: [context.now, project.server.clock.now])
    }
    let payload =
      try isProduction
      ? CustomToken.payload(of: token, project, context) : payload(of: token, project)
    let named = try isProduction ? CustomToken.localId(in: payload) : localId(in: payload)
    guard let localId = named else { throw APIError(.missingIdentifier) }
    var extraClaims: JSONObject?
    if let claims = payload["claims"] {
      guard case .object(let object) = claims else { throw APIError(.invalidClaims) }
      try CustomClaims.check(object)
      extraClaims = object
    }
    let known = try project.user(localId: localId)
    if known?.isDisabled == true { throw APIError(.userDisabled) }

    var user = known ?? User.new(localId, tenantId: project.tenantId, context)
    user.customAuth = true
    user.lastLoginAt = .milliseconds(of: context.now)
    if known == nil {
      if isProduction { user.validSince = .seconds(of: context.now) }
      project.publishCreated(user, context)
    }
    let members = JSONObject([
      "kind": "identitytoolkit#VerifyCustomTokenResponse", "isNewUser": .bool(known == nil),
    ])
    if isProduction, !request.returnsSecureToken {
      try project.save(&user)
      return .answer(
        Answer(
          members, legacyTokenOf: user, "custom", extraClaims: extraClaims, project, context))
    }
    let tokens = try project.issueTokens(
      for: &user, SignInFacts("custom", extraClaims: extraClaims), context)
    return .answer(Answer(members, tokens: tokens))
  }

  private static func payload(
    of token: String, _ project: ProjectTransaction
  ) throws(APIError) -> JSONObject {
    let acceptsUnsigned = try project.switches().acceptUnsignedTokens
    if token.utf8.first == UInt8(ascii: "{") {
      guard acceptsUnsigned, case .object(let object)? = try? JSON.parse(token) else {
        throw APIError(
          .invalidCustomToken,
          "((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
      }
      return object
    }
    let jwt = JWT(token)
    if let tenantId = project.tenantId, jwt?.claims["tenant_id"]?.string != tenantId {
      throw APIError(.tenantIDMismatch)
    }
    guard let jwt else { throw APIError(.invalidCustomToken, "Invalid assertion format") }
    if jwt.algorithm == "none" {
      guard acceptsUnsigned else {
        throw APIError(.invalidCustomToken, "Unsigned tokens are not accepted.")
      }
    } else {
      if project.server.google == nil {
        project.outbox.warnings.append(Self.unchecked)
      }
    }
    guard jwt.claims["aud"]?.string == audience else { throw wrongAudience(jwt.claims["aud"]) }
    return jwt.claims
  }

  private static let unchecked =
    "Received a signed custom token. Auth Emulator does not validate JWTs and IS NOT SECURE"

  private static func wrongAudience(_ audience: JSON?) -> APIError {
    let shown = audience?.string ?? audience?.text ?? "undefined"
    return APIError(
      .invalidCustomToken,
      "((Invalid aud (audience): \(shown) Note: Firebase ID Tokens / third-party tokens cannot be "
        + "used with signInWithCustomToken.))")
  }

  /// `uid`, or `user_id` where `uid` is of no use; numbers and booleans become text.
  private static func localId(in payload: JSONObject) -> String? {
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
