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

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    guard let grantType = request.grantType.nonEmpty else {
      throw APIError(.missingGrantType)
    }
    guard grantType == "refresh_token" else { throw APIError(.invalidGrantType) }
    guard let token = request.refreshToken.nonEmpty else {
      throw APIError(.missingRefreshToken)
    }
    guard let record = try project.refreshToken(token), record.projectId == project.projectId,
      record.tenantId == project.tenantId, var user = try project.user(localId: record.localId)
    else { throw APIError(.invalidRefreshToken) }
    if user.isDisabled { throw APIError(.userDisabled) }
    if record.isRevoked { throw APIError(.tokenExpired) }

    user.lastRefreshAt = context.now
    try project.save(&user)
    let claims = IDTokenClaims.make(
      user, record.signIn, project: project.projectId, now: context.now)
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
