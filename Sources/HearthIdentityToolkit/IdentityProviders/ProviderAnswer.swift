import HearthErrors
import HearthWire

/// What a provider answers to the question whose an access token is. No provider is asked: the answer
/// is made from the text of the token.
struct ProviderAnswer: Sendable {
  /// The answer in the words of an ID token.
  let claims: JSONObject
  /// The answer in the provider's own words; nil where they are the claims.
  let rawUserInfo: JSON?
  let federatedId: String
  /// Seconds until the token ends, where the provider says it.
  let expiresIn: Int64?

  init(claims: JSONObject, rawUserInfo: JSON?, federatedId: String, expiresIn: Int64?) {
    self.claims = claims
    self.rawUserInfo = rawUserInfo
    self.federatedId = federatedId
    self.expiresIn = expiresIn
  }

  init(accessToken: String, of providerId: String) {
    let person = MadeUpPerson(accessToken: accessToken, of: providerId)
    let api = ProviderApi.known[providerId] ?? ProviderApi()
    claims = JSONObject([
      "sub": .string(person.id),
      "email": api.sharesEmail ? .string(person.email) : nil,
      "email_verified": .bool(api.vouchesForEmail),
      "name": .string(person.name),
      "given_name": .string(person.firstName),
      "family_name": .string(person.lastName),
      "screen_name": api.hasLogins ? .string(person.login) : nil,
      "picture": api.photo(person).json,
    ])
    rawUserInfo = api.profile(person)
    federatedId = api.federatedPrefix + person.id
    expiresIn = api.expiresIn
  }
}

/// A provider whose profiles are fetched with an access token, and what is special about them.
struct ProviderApi: Sendable {
  /// What precedes the provider's id in `federatedId`.
  var federatedPrefix = ""
  var sharesEmail = true
  /// Whether the provider's word makes an address a verified one.
  var vouchesForEmail = false
  /// Whether its people have names in addresses, which become `screenName`.
  var hasLogins = false
  var expiresIn: Int64?
  var photo: @Sendable (MadeUpPerson) -> String? = { _ in nil }
  /// The profile as the provider writes it.
  var profile: @Sendable (MadeUpPerson) -> JSON? = { _ in nil }
  /// What production says of a token that the provider refuses.
  var refusal = "Failed to fetch the profile: the provider refused the access token."

  /// - Returns: `INVALID_IDP_RESPONSE` in production's words.
  static func refusal(ofTokenFor providerId: String) -> APIError {
    APIError(.invalidIdpResponse, detail: (known[providerId] ?? ProviderApi()).refusal)
  }
}
