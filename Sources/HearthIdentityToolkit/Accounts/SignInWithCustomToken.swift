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
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let rules = try project.customTokenRules()
    guard let token = rules.token(of: request) else {
      throw APIError(.missingCustomToken)
    }
    if let google = project.server.google {
      try CustomToken.verify(token, google: google, at: [context.now, project.server.clock.now])
    }
    let payload = try rules.payload(of: token, in: project, context: context)
    guard let localId = try rules.localId(in: payload) else { throw APIError(.missingIdentifier) }
    var extraClaims: JSONObject?
    if let claims = payload["claims"] {
      guard case .object(let object) = claims else { throw APIError(.invalidClaims) }
      try CustomClaims.check(object)
      extraClaims = object
    }
    let known = try Accounts(in: project).user(localId: localId)
    if known?.isDisabled == true { throw APIError(.userDisabled) }

    var user =
      if let known { known } else { try Accounts(in: project).newcomer(localId, context: context) }
    user.customAuth = true
    user.lastLoginAt = .milliseconds(of: context.now)
    if known == nil { Accounts(in: project).publishCreated(user, context: context) }
    let members = JSONObject([
      "kind": "identitytoolkit#VerifyCustomTokenResponse", "isNewUser": .bool(known == nil),
    ])
    guard try Sessions(in: project).beginsSession(request.returnsSecureToken) else {
      try Accounts(in: project).save(&user)
      return .answer(
        Answer(
          members, legacyTokenOf: user, provider: "custom", extraClaims: extraClaims,
          project: project, context: context))
    }
    let tokens = try Sessions(in: project).issueTokens(
      for: &user, signIn: SignInFacts("custom", extraClaims: extraClaims), context: context)
    return .answer(Answer(members, tokens: tokens))
  }
}
