import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Exchanges a refresh token for a fresh ID token.
/// https://firebase.google.com/docs/reference/rest/auth#section-refresh-token
enum Token: Operation {
  /// The project *number*, the same for every project.
  static let projectNumber = "12345"

  struct Request: OperationRequest {
    let grantType: String?
    let refreshToken: String?

    init(_ wire: WireRequest) {
      grantType = wire.string("grantType")
      refreshToken = wire.string("refreshToken")
    }
  }

  static let findsTenantOfToken = true

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let token = request.refreshToken.nonEmpty else {
      return try run(request, record: nil, in: project, context: context)
    }
    let presented = try PresentedRefreshToken(token, in: project)
    let owner = project.inTenant(try presented.tenant(named: project.tenantId))
    defer { project.outbox = owner.outbox }
    return try run(request, record: presented.record, in: owner, context: context)
  }

  private static func run(
    _ request: Request, record: RefreshTokenRecord?, in project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> Outcome {
    guard let grantType = request.grantType.nonEmpty else {
      throw APIError(.missingGrantType)
    }
    guard grantType == "refresh_token" else { throw APIError(.invalidGrantType) }
    guard let token = request.refreshToken.nonEmpty else {
      throw APIError(.missingRefreshToken)
    }
    let rules = try Sessions(in: project).rules()
    try rules.checkRefresh(in: project)
    guard let record, record.projectId == project.projectId,
      record.tenantId == project.tenantId
    else { throw APIError(.invalidRefreshToken) }
    guard var user = try Accounts(in: project).user(localId: record.localId) else {
      throw APIError(rules.refreshTokenOfNobody)
    }
    if user.isDisabled { throw APIError(.userDisabled) }
    if rules.hasEnded(record, of: user) { throw APIError(.tokenExpired) }

    user.lastRefreshAt = context.now
    try Accounts(in: project).save(&user)
    let claims = IDTokenClaims.make(
      user, signIn: record.signIn, project: project.projectId, now: context.now,
      authTime: rules.authTime(ofSessionSince: record.issuedAt))
    return .answer(
      Answer(
        JSONObject([
          "id_token": "",
          "access_token": "",
          "expires_in": TokenBlock.expiresIn,
          "refresh_token": .string(token),
          "token_type": "Bearer",
          "user_id": .string(user.localId),
          "project_id": .string(projectNumber),
        ]), sign: (["id_token", "access_token"], claims)))
  }
}
