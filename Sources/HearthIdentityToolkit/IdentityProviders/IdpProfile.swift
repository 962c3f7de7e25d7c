import HearthErrors
import HearthOperations
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
  private let wording: any IdpWording

  init(
    _ credential: IdpCredential, as answers: Switches.Program = .emulator
  ) throws(APIError) {
    self.credential = credential
    let wording = idpWording(for: credential, as: answers)
    self.wording = wording
    claims = credential.claims
    providerId = credential.providerId
    rawId = claims["sub"]?.string ?? ""
    var email = claims["email"]?.string.map { Email(unchecked: $0).text }
    var isVerified = claims["email_verified"]?.isTruthy ?? false
    if providerId.hasPrefix("saml.") {
      isVerified = wording.takesSamlForVerified
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

  /// The name of the person, as the provider shows it.
  private var displayName: String? { claim("name") ?? credential.name }

  private func claim(_ name: String) -> String? { claims[name]?.string }

  /// Puts the provider into the account. Apple says a name once, so an entry keeps the one it has.
  func link(to user: inout User) {
    var entry = ProviderUserInfo(providerId: providerId)
    entry.rawId = rawId
    entry.federatedId = rawId
    entry.email = email
    entry.displayName = displayName
    entry.screenName = claim("screen_name")
    entry.photoUrl = claim("picture")
    if providerId == "apple.com", displayName == nil {
      entry.displayName = user.provider(providerId)?.displayName
    }
    user.link(entry)
  }

  /// The provider's words replace the account's, also where it says nothing.
  func copy(to user: inout User) {
    user.displayName = displayName
    user.screenName = claim("screen_name")
    user.photoUrl = claim("picture")
    user.dateOfBirth = nil
    user.language = nil
  }

  var facts: BlockingFacts {
    var facts = BlockingFacts(signInMethod: providerId)
    facts.signInAttributes = credential.assertion?["attributeStatements"]
    facts.rawUserInfo = rawUserInfo
    facts.oauthAccessToken = credential.namedAccessToken
    facts.oauthIDToken = credential.idToken
    facts.oauthTokenSecret = credential.tokenSecret
    facts.oauthRefreshToken = credential.refreshToken
    facts.oauthExpiresIn = credential.answer?.expiresIn
    return facts
  }

  // MARK: The answer

  var answer: JSONObject {
    let isGoogle = providerId == "google.com"
    return JSONObject([
      "kind": "identitytoolkit#VerifyAssertionResponse",
      "context": wording.context.json,
      "providerId": .string(providerId),
      "federatedId": .string(wording.federatedId(of: rawId)),
      "displayName": displayName.json,
      "fullName": displayName.json,
      "screenName": claim("screen_name").json,
      "email": email.json,
      "emailVerified": .bool(isEmailVerified),
      "photoUrl": claim("picture").json,
      "firstName": isGoogle ? claim("given_name").json : nil,
      "lastName": isGoogle ? claim("family_name").json : nil,
      "rawUserInfo": rawUserInfo.json,
      "oauthAccessToken": wording.accessToken.json,
      "oauthTokenSecret": credential.tokenSecret.json,
      "oauthExpireIn": (credential.answer?.expiresIn).map(JSON.int),
      "oauthIdToken": wording.idToken.json,
      "pendingToken": wording.pendingToken.json,
    ])
  }

  /// The answer to who cannot sign in now, and may come back with the same credential. SDKs need a
  /// token for that where the provider speaks SAML; for others they keep the `id_token` itself.
  var conflictAnswer: JSONObject {
    var answer = answer
    if let token = wording.conflictToken { answer.append("pendingToken", value: .string(token)) }
    return answer
  }

  func answer(for user: User, isNew: Bool, isRecycled: Bool) -> JSONObject {
    var answer = answer
    if user.email?.text == email, email != nil || wording.comparesAbsentEmails {
      answer["emailVerified"] = user.emailVerified.json
    }
    answer.append("localId", value: .string(user.localId))
    if isNew { answer.append("isNewUser", value: true) }
    if isRecycled { answer.append("emailRecycled", value: true) }
    if let tenantId = user.tenantId { answer.append("tenantId", value: .string(tenantId)) }
    return answer
  }

  private var rawUserInfo: String? {
    if providerId.hasPrefix("saml.") { return credential.assertion?["attributeStatements"]?.text }
    if let own = credential.answer?.rawUserInfo { return own.text }
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
