package import HearthTime
package import HearthWire

/// How somebody signed in; what a token says of it, and a refresh token remembers.
package struct SignInFacts: Sendable, Equatable {
  /// `password`, `google.com`, `custom`, …
  var provider: String
  /// Claims of a custom token, or session claims of a blocking function.
  var extraClaims: JSONObject?
  var secondFactor: SecondFactor?
  /// SAML attribute statements. With the official emulator's answers only the first token has them.
  var attributes: JSON?

  package struct SecondFactor: Sendable, Equatable {
    /// The `mfaEnrollmentId`.
    var identifier: String
    /// `phone` or `totp`.
    var provider: String

    init(identifier: String, provider: String) {
      self.identifier = identifier
      self.provider = provider
    }
  }

  package init(
    _ provider: String, extraClaims: JSONObject? = nil, secondFactor: SecondFactor? = nil,
    attributes: JSON? = nil
  ) {
    self.provider = provider
    self.extraClaims = extraClaims
    self.secondFactor = secondFactor
    self.attributes = attributes
  }
}

/// The claims of an ID token.
package enum IDTokenClaims {
  package static let lifetime: Int64 = 3600

  /// Names that custom claims may not carry into a token: they are the account's, or go.
  private static let ofAccount = [
    "email", "email_verified", "phone_number", "provider_id", "auth_time", "user_id", "firebase",
  ]

  /// `authTime` is when the session began, where that is not the user's last sign-in.
  package static func make(
    _ user: User, signIn: SignInFacts, project: String, now: Timestamp, authTime: Int64? = nil
  ) -> JSONObject {
    var claims = JSONObject(["name": user.displayName.json, "picture": user.photoUrl.json])
    if let text = user.customAttributes.nonEmpty,
      case .object(let custom)? = try? JSON.parse(text)
    {
      claims.merge(custom)
    }
    if let extra = signIn.extraClaims { claims.merge(extra) }
    // Most users have none of these.
    if claims.isEmpty {
      return own(user, signIn: signIn, project: project, now: now, authTime: authTime)
    }
    for name in ofAccount { claims[name] = nil }
    claims.merge(own(user, signIn: signIn, project: project, now: now, authTime: authTime))
    return claims
  }

  private static func own(
    _ user: User, signIn: SignInFacts, project: String, now: Timestamp, authTime: Int64?
  ) -> JSONObject {
    JSONObject([
      "email": user.email.json,
      "email_verified": user.emailVerified.json,
      "phone_number": user.phoneNumber.json,
      "provider_id": signIn.provider == "anonymous" ? "anonymous" : nil,
      "auth_time": .int(authTime ?? lastSignIn(of: user) ?? now.seconds),
      "user_id": .string(user.localId),
      "firebase": .members([
        "identities": identities(of: user),
        "sign_in_provider": .string(signIn.provider),
        "second_factor_identifier": (signIn.secondFactor?.identifier).json,
        "sign_in_second_factor": (signIn.secondFactor?.provider).json,
        "tenant": user.tenantId.json,
        "sign_in_attributes": signIn.attributes,
      ]),
      "iat": .int(now.seconds),
      "exp": .int(now.seconds + lifetime),
      "aud": .string(project),
      "iss": .string("https://securetoken.google.com/\(project)"),
      "sub": .string(user.localId),
    ])
  }

  /// The last sign-in, not the last refresh.
  private static func lastSignIn(of user: User) -> Int64? {
    (user.lastLoginAt?.number).map { Timestamp(milliseconds: $0).seconds }
  }

  private static func identities(of user: User) -> JSON {
    var identities = JSONObject()
    if let email = user.email { identities.append("email", value: [email.json]) }
    for provider in user.providerUserInfo ?? [] where provider.providerId != "password" {
      if let rawId = provider.rawId { identities[provider.providerId] = [.string(rawId)] }
    }
    return .object(identities)
  }
}
