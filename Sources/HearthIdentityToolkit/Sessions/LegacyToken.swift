import HearthOperations
import HearthTime
import HearthWire

/// The old kind of ID token. Production gives it to clients that do not send `returnSecureToken`. It
/// is valid for two weeks and comes without a refresh token.
enum LegacyToken {
  static let issuer = "https://identitytoolkit.google.com/"
  private static let lifetime: Int64 = 14 * 24 * 3600

  static func claims(
    of user: User, _ provider: String, extraClaims: JSONObject? = nil, project: String,
    now: Timestamp
  ) -> JSONObject {
    JSONObject([
      "iss": .string(issuer),
      "aud": .string(project),
      "iat": .int(now.seconds),
      "exp": .int(now.seconds + lifetime),
      "user_id": .string(user.localId),
      "email": user.email.json,
      "sign_in_provider": .string(provider),
      "tenant": user.tenantId.json,
      "verified": user.email == nil ? nil : .bool(user.emailVerified == .yes),
      "extra_claims": extraClaims.map(JSON.object),
    ])
  }
}

extension Answer {
  /// An answer with an old token, which is its only one.
  init(
    _ members: JSONObject, legacyTokenOf user: User, provider: String,
    extraClaims: JSONObject? = nil, project: ProjectTransaction, context: Context
  ) {
    var members = members
    members.append("idToken", value: "")
    let claims = LegacyToken.claims(
      of: user, provider, extraClaims: extraClaims, project: project.projectId, now: context.now)
    self.init(members, sign: (["idToken"], claims))
    omitsTokenType = true
  }
}
