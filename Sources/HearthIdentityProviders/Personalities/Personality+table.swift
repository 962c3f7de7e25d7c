import HearthTokens
import HearthWire

extension Personality {
  /// One row for each provider that is played.
  package static let all: [Personality] = [
    Personality(name: "oidc", title: "OpenID Connect", providerId: nil, issuer: nil),
    Personality(
      name: "google", title: "Google", providerId: "google.com",
      issuer: "https://accounts.google.com", accessTokenPrefix: "ya29.a0hearth-",
      refreshing: .staysWhereOffline, wording: .google,
      subject: { persona, _ in persona.digits(21, for: "google") },
      claims: googleClaims, profile: nil),
    Personality(
      name: "apple", title: "Apple", providerId: "apple.com", issuer: "https://appleid.apple.com",
      codeLifetime: 300, idTokenLifetime: 86_400, refreshing: .stays, posts: true,
      takesSignedSecrets: true, revokesAuthorizations: true,
      subject: { persona, _ in appleSubject(persona) },
      claims: appleClaims),
    Personality(
      name: "microsoft", title: "Microsoft", providerId: "microsoft.com",
      issuer: "https://login.microsoftonline.com/{tenant}/v2.0", wording: .microsoft,
      hasReadableAccessTokens: true,
      subject: microsoftSubject, claims: microsoftClaims, profile: microsoftProfile),
    Personality(
      name: "github", title: "GitHub", providerId: "github.com", issuer: nil, speaksOpenID: false,
      accessTokenLifetime: nil, accessTokenPrefix: "gho_", refreshing: .never, wording: .github,
      standardResponseType: "code", standardGrantType: "authorization_code", tokenType: "bearer",
      redeemsWithoutAddress: true,
      subject: { persona, _ in persona.digits(8, for: "github") }, profile: githubProfile),
    Personality(
      name: "facebook", title: "Facebook", providerId: "facebook.com",
      issuer: "https://www.facebook.com", accessTokenLifetime: 5_183_999,
      accessTokenPrefix: "EAAhearth", refreshing: .never, wording: .facebook,
      standardResponseType: "code", standardGrantType: "authorization_code", tokenType: "bearer",
      numbersTokens: true,
      otherResponseTypes: ["graph_domain", "user_token_nonce"],
      subject: { persona, _ in persona.digits(15, for: "facebook") }, claims: facebookClaims,
      profile: facebookProfile),
    Personality(
      name: "x", title: "X", providerId: "twitter.com", issuer: nil, speaksOpenID: false,
      speaksOAuth1: true, accessTokenLifetime: 7200, needsChallenge: true,
      subject: { persona, _ in persona.digits(18, for: "x") }, profile: xProfile,
      signedProfile: xCredentials),
    Personality(
      name: "yahoo", title: "Yahoo", providerId: "yahoo.com",
      issuer: "https://api.login.yahoo.com", algorithm: .es256, refreshing: .stays,
      subject: { persona, _ in persona.letters(26, for: "yahoo").uppercased() }),
    Personality(
      name: "linkedin", title: "LinkedIn", providerId: "linkedin.com",
      issuer: "https://www.linkedin.com/oauth", accessTokenLifetime: 5_183_999,
      refreshing: .never, subject: { persona, _ in persona.letters(10, for: "linkedin") }),
    Personality(
      name: "saml", title: "SAML", providerId: nil, issuer: nil, speaksOpenID: false,
      speaksSAML: true, subject: { persona, _ in persona.digits(20, for: "saml") }),
  ]

  package static func named(_ name: String) -> Personality? { all.first { $0.name == name } }

  /// The provider that a project knows by an id of Firebase's.
  package static func of(providerId: String) -> Personality? {
    all.first { $0.providerId == providerId }
  }

  // MARK: Google

  @Sendable private static func googleClaims(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    var claims = persona.claims(for: claiming)
    claims["azp"] = .string(claiming.client)
    if let domain = persona.email?.split(separator: "@").last.map(String.init),
      domain != "gmail.com", persona.claims["hd"] == nil, persona.groups.contains("workspace")
    {
      claims["hd"] = .string(domain)
    }
    return claims
  }

  // MARK: Apple

  private static func appleSubject(_ persona: Persona) -> String {
    "\(persona.digits(6, for: "apple.1")).\(persona.hexadecimal(32, for: "apple"))."
      + persona.digits(4, for: "apple.2")
  }

  /// Booleans are strings, and a name is in no token.
  @Sendable private static func appleClaims(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    var claims = JSONObject(["nonce_supported": true, "real_user_status": 2])
    if let email = persona.email, claiming.has("email") || claiming.has("openid") {
      let hides = persona.hidesEmail
      claims["email"] = .string(hides ? relay(of: persona) : email)
      claims["email_verified"] = .string(persona.isEmailVerified || hides ? "true" : "false")
      claims["is_private_email"] = .string(hides ? "true" : "false")
    }
    claims.merge(persona.claims)
    return claims
  }

  static func relay(of persona: Persona) -> String {
    "\(persona.letters(10, for: "relay"))@privaterelay.appleid.com"
  }

  // MARK: Microsoft

  /// The tenant of personal accounts.
  static let personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

  @Sendable private static func microsoftSubject(_ persona: Persona, for client: String) -> String {
    "AAAAAAAAAAAAAAAAAAAAA" + persona.letters(22, for: "microsoft\n" + client)
  }

  @Sendable private static func microsoftClaims(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    var claims = JSONObject([
      "ver": "2.0", "nbf": .int(claiming.issuedAt), "name": .string(persona.displayName),
      "preferred_username": .string(persona.email ?? persona.id),
      "oid": .string(persona.uuid(for: "microsoft")),
      "tid": .string(persona.tenant ?? personalTenant),
      // What Microsoft tells itself.
      "aio": .string(persona.letters(32, for: "aio\n\(claiming.issuedAt)")),
      "rh": .string("1." + persona.letters(22, for: "rh")),
      "uti": .string(persona.letters(22, for: "uti\n\(claiming.issuedAt)")),
    ])
    if let email = persona.email, claiming.has("email") { claims["email"] = .string(email) }
    if !persona.groups.isEmpty { claims["groups"] = .strings(persona.groups) }
    claims.merge(persona.claims)
    return claims
  }

  @Sendable private static func microsoftProfile(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    JSONObject([
      "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#users/$entity",
      "id": .string(persona.uuid(for: "microsoft")), "displayName": .string(persona.displayName),
      "givenName": .string(persona.givenName), "surname": .string(persona.familyName),
      "mail": persona.email.json, "userPrincipalName": .string(persona.email ?? persona.id),
      "businessPhones": [], "jobTitle": .null, "mobilePhone": .null, "officeLocation": .null,
      "preferredLanguage": .null,
    ])
  }

  // MARK: GitHub, Facebook, X

  @Sendable private static func githubProfile(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    JSONObject([
      "login": .string(persona.login), "id": Int64(claiming.subject).map(JSON.int),
      "avatar_url": .string(persona.picture ?? ""), "type": "User", "site_admin": false,
      "html_url": .string("https://github.com/\(persona.login)"),
      "url": .string("https://api.github.com/users/\(persona.login)"),
      "name": .string(persona.displayName),
      "email": persona.hidesEmail ? .null : persona.email.map(JSON.string) ?? .null,
    ])
  }

  /// Of Limited Login. Facebook says of no address that it is verified.
  @Sendable private static func facebookClaims(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    var claims = JSONObject([
      "name": .string(persona.displayName), "given_name": .string(persona.givenName),
      "family_name": .string(persona.familyName), "picture": persona.picture.json,
      "email": claiming.has("email") ? persona.email.json : nil,
    ])
    claims.merge(persona.claims)
    return claims
  }

  @Sendable private static func facebookProfile(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    JSONObject([
      "id": .string(claiming.subject), "name": .string(persona.displayName),
      "first_name": .string(persona.givenName), "last_name": .string(persona.familyName),
      "email": claiming.has("email") ? persona.email.json : nil,
      "picture": .members([
        "data": .members([
          "height": 50, "is_silhouette": .bool(persona.picture == nil),
          "url": .string(persona.picture ?? ""), "width": 50,
        ])
      ]),
    ])
  }

  @Sendable private static func xProfile(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    JSONObject([
      "data": .members([
        "id": .string(claiming.subject), "name": .string(persona.displayName),
        "username": .string(persona.login), "profile_image_url": persona.picture.json,
      ])
    ])
  }

  /// `account/verify_credentials.json` of version 1.1.
  @Sendable private static func xCredentials(
    _ persona: Persona, for claiming: Claiming
  ) -> JSONObject {
    JSONObject([
      "id": Int64(claiming.subject).map(JSON.int), "id_str": .string(claiming.subject),
      "name": .string(persona.displayName), "screen_name": .string(persona.login),
      "location": "", "description": "", "url": .null, "protected": false, "verified": false,
      "followers_count": 0, "friends_count": 0, "statuses_count": 0,
      "created_at": "Wed Jan 01 00:00:00 +0000 2020",
      "profile_image_url": persona.picture.json, "profile_image_url_https": persona.picture.json,
      "default_profile_image": .bool(persona.picture == nil), "suspended": false,
    ])
  }
}
