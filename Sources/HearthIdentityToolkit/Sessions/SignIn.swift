package import HearthErrors
package import HearthOperations
import HearthTime
package import HearthWire

/// What a successful sign-in hands out.
package struct TokenBlock {
  let claims: JSONObject
  let refreshToken: String

  package init(claims: JSONObject, refreshToken: String) {
    self.claims = claims
    self.refreshToken = refreshToken
  }

  static let expiresIn = JSON.string(String(IDTokenClaims.lifetime))
}

/// The sessions of users: how they begin, and the tokens by which they are known.
package struct Sessions: ProjectSubject {
  package let project: ProjectTransaction

  package init(in project: ProjectTransaction) { self.project = project }
}

extension Sessions {
  /// Records the sign-in of a user who is about to get tokens, and stores the user.
  func issueTokens(
    for user: inout User, signIn: SignInFacts, context: Context
  ) throws(APIError) -> TokenBlock {
    user.lastRefreshAt = context.now
    try Accounts(in: project).save(&user)
    publish(
      "user.signedIn",
      members: .members([
        "localId": .string(user.localId), "email": user.email.json,
        "signInProvider": .string(signIn.provider),
      ]))
    return TokenBlock(
      claims: IDTokenClaims.make(
        user, signIn: signIn, project: projectId, now: context.now,
        authTime: try rules().authTime(ofSessionSince: context.now.seconds)),
      refreshToken: try makeRefreshToken(for: user, signIn: signIn, context: context))
  }

  /// Whether a first factor is not enough for this user.
  func asksForSecondFactor(_ user: User) throws(APIError) -> Bool {
    guard user.hasSecondFactor else { return false }
    guard let tenant = try tenant() else {
      return try SecondFactors(in: project).enforcedFactors()?.isOn ?? true
    }
    switch tenant.record["mfaConfig"]?["state"]?.string {
    case "ENABLED", "MANDATORY": return true
    default: return false
    }
  }

  /// What a first factor's answer holds instead of tokens.
  func pendingSecondFactor(
    _ user: User, signInProvider: String, context: Context
  ) -> JSONObject {
    let credential = JSON.members([
      "_AuthEmulatorMfaPendingCredential": "DO NOT MODIFY",
      "localId": .string(user.localId),
      "signInProvider": .string(signInProvider),
      "projectId": .string(projectId),
      "tenantId": tenantId.json,
      "issuedAt": .int(context.now.milliseconds),
    ])
    return JSONObject([
      "mfaPendingCredential": .string(Base64.encode(credential.bytes)),
      "mfaInfo": .array((user.mfaInfo ?? []).map(\.obfuscatedJSON)),
    ])
  }

  /// With the switch on, a sensitive change needs a sign-in of the last five minutes.
  func requireRecentLogin(_ claims: JSONObject, context: Context) throws(APIError) {
    guard try switches().recentLogin else { return }
    // Not a difference: the claim may be any number, and overflow.
    guard let authTime = claims["auth_time"]?.integer, authTime >= context.now.seconds - 300 else {
      throw APIError(.credentialTooOld)
    }
  }
}

extension ProjectTransaction {
  /// The check that comes first in nearly every operation.
  package func requireAuthEnabled() throws(APIError) {
    guard try tenant()?.disablesAuth == true else { return }
    throw APIError(try Sessions(in: self).rules().disabledTenant)
  }
}

extension Answer {
  /// An answer with the tokens of a sign-in after its own members.
  package init(_ members: JSONObject, tokens: TokenBlock?) {
    guard let tokens else {
      self.init(members)
      return
    }
    var members = members
    members.append("idToken", value: "")
    members.append("refreshToken", value: .string(tokens.refreshToken))
    members.append("expiresIn", value: TokenBlock.expiresIn)
    self.init(members, sign: (["idToken"], tokens.claims))
  }
}
