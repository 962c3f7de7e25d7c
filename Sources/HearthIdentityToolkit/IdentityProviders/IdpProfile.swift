import HearthErrors
import HearthWire

/// What a provider says of somebody, and how an answer tells it.
struct IdpProfile: Sendable {
  let providerId: String
  /// The provider's own id of the account.
  let rawId: String
  /// As the provider wrote it; a SAML name is not even lower-cased.
  let email: String?
  /// A provider that says nothing has not verified it.
  let isEmailVerified: Bool
  private let claims: JSONObject
  private let credential: IdpCredential
  /// Whether the answer is production's, for providers that a project configures itself.
  private let isProduction: Bool

  init(_ credential: IdpCredential, isProduction: Bool = false) throws(APIError) {
    self.credential = credential
    self.isProduction =
      isProduction
      && (credential.providerId.hasPrefix("oidc.") || credential.providerId.hasPrefix("saml."))
    claims = credential.claims
    providerId = credential.providerId
    rawId = claims["sub"]?.string ?? ""
    var email = claims["email"]?.string.map { Email(unchecked: $0).text }
    var isVerified = claims["email_verified"]?.isTruthy ?? false
    if providerId.hasPrefix("saml.") {
      isVerified = !self.isProduction
      if let name = credential.assertion?["subject"]?["nameId"]?.string, Email(name) != nil {
        email = name
        isVerified = true
      }
    }
    self.email = email.nonEmpty
    isEmailVerified = isVerified
  }

  /// The address as accounts keep it.
  var accountEmail: Email? { email.map(Email.init(unchecked:)) }

  private func claim(_ name: String) -> String? { claims[name]?.string }

  var provider: ProviderUserInfo {
    var entry = ProviderUserInfo(providerId: providerId)
    entry.rawId = rawId
    entry.federatedId = rawId
    entry.email = email
    entry.displayName = claim("name")
    entry.screenName = claim("screen_name")
    entry.photoUrl = claim("picture")
    return entry
  }

  /// The provider's words replace the account's, also where it says nothing.
  func copy(to user: inout User) {
    user.displayName = claim("name")
    user.screenName = claim("screen_name")
    user.photoUrl = claim("picture")
    user.dateOfBirth = nil
    user.language = nil
  }

  var facts: BlockingFacts {
    var facts = BlockingFacts(signInMethod: providerId)
    facts.signInAttributes = credential.assertion?["attributeStatements"]
    facts.rawUserInfo = rawUserInfo
    facts.oauthAccessToken = accessToken
    facts.oauthIDToken = credential.idToken
    return facts
  }

  private var accessToken: String {
    credential.accessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(providerId)"
  }

  // MARK: The answer

  var answer: JSONObject {
    let isGoogle = providerId == "google.com"
    return JSONObject([
      "kind": "identitytoolkit#VerifyAssertionResponse",
      "context": isProduction && !isSaml ? nil : "",
      "providerId": .string(providerId),
      "federatedId": .string(federatedId),
      "displayName": claim("name").json,
      "fullName": claim("name").json,
      "screenName": claim("screen_name").json,
      "email": email.json,
      "emailVerified": .bool(isEmailVerified),
      "photoUrl": claim("picture").json,
      "firstName": isGoogle ? claim("given_name").json : nil,
      "lastName": isGoogle ? claim("family_name").json : nil,
      "rawUserInfo": rawUserInfo.json,
      "oauthAccessToken": isProduction ? credential.accessToken.json : .string(accessToken),
      "oauthIdToken": isProduction && isSaml ? nil : credential.idToken.json,
      "pendingToken": isProduction ? .string(credential.pendingToken) : nil,
    ])
  }

  private var isSaml: Bool { providerId.hasPrefix("saml.") }

  private var federatedId: String {
    if isProduction { return "\(providerId)/\(rawId)" }
    return providerId == "google.com" ? "https://accounts.google.com/\(rawId)" : rawId
  }

  /// The answer to who cannot sign in now, and may come back with the same credential. SDKs need a
  /// token for that where the provider speaks SAML; for others they keep the `id_token` itself.
  var conflictAnswer: JSONObject {
    var answer = answer
    if providerId.hasPrefix("saml."), !isProduction {
      answer.append("pendingToken", .string(credential.pendingToken))
    }
    return answer
  }

  func answer(for user: User, isNew: Bool, isRecycled: Bool) -> JSONObject {
    var answer = answer
    // Observed: two absent addresses count as equal, and then nothing is said of them.
    if user.email?.text == email, email != nil || !isProduction {
      answer["emailVerified"] = user.emailVerified.json
    }
    answer.append("localId", .string(user.localId))
    if isNew { answer.append("isNewUser", true) }
    if isRecycled { answer.append("emailRecycled", true) }
    if let tenantId = user.tenantId { answer.append("tenantId", .string(tenantId)) }
    return answer
  }

  private var rawUserInfo: String? {
    if providerId.hasPrefix("saml.") { return credential.assertion?["attributeStatements"]?.text }
    guard providerId == "google.com" else { return JSON.object(claims).text }
    let profile = "https://www.googleapis.com/auth/userinfo.profile"
    let mail = " https://www.googleapis.com/auth/userinfo.email"
    return JSON.members([
      "granted_scopes": .string("openid \(profile)" + (email == nil ? "" : mail)),
      "id": .string(rawId),
      "name": claim("name").json,
      "given_name": claim("given_name").json,
      "family_name": claim("family_name").json,
      "verified_email": .bool(isEmailVerified),
      "locale": "en",
      "email": email.json,
      "picture": claim("picture").json,
    ]).text
  }
}
