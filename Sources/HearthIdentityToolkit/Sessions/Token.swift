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
    let isProduction = try project.answersAsProduction
    if isProduction { try project.requireAuthEnabled() }
    guard let record = try project.refreshToken(token), record.projectId == project.projectId,
      record.tenantId == project.tenantId
    else { throw APIError(.invalidRefreshToken) }
    guard var user = try project.user(localId: record.localId) else {
      throw APIError(isProduction ? .userNotFound : .invalidRefreshToken)
    }
    if user.isDisabled { throw APIError(.userDisabled) }
    if record.isRevoked || (isProduction && user.hasEnded(sessionOf: record.issuedAt)) {
      throw APIError(.tokenExpired)
    }

    user.lastRefreshAt = context.now
    try project.save(&user)
    let claims = IDTokenClaims.make(
      user, record.signIn, project: project.projectId, now: context.now,
      authTime: isProduction ? record.issuedAt : nil)
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

extension User {
  /// Whether a session that began at that second is older than `validSince`.
  fileprivate func hasEnded(sessionOf seconds: Int64) -> Bool {
    validSince?.fractionalNumber.map { Double(seconds) < $0 } ?? false
  }
}
