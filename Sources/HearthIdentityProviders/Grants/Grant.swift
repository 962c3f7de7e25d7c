import HearthWire

/// What a provider has given to a client: a code, a token, or the memory of a browser. A client holds a
/// text, of which the digest is kept. The secret with which it signs beside one is kept itself.
package struct Grant: Sendable {
  package enum Kind: String, Sendable {
    /// Of the authorization endpoint, for the token endpoint.
    case code
    case access, refresh
    /// A browser in which somebody has signed in.
    case session
    /// A sign-in on a device without a browser, by the device's code and by the person's.
    case device, userCode
    /// That a client has had a token of somebody.
    case consent
    /// A sign-in that Firebase has begun: the `state` of its request.
    case state
    /// What SAML's provider has said, for a client that comes back with its pending token.
    case assertion
    /// Of OAuth 1.0a: what a client sends a browser with, and that it has signed a request.
    case requestToken, nonce
  }

  /// What each code begins with.
  static let codePrefix = "c."

  package var provider: String
  /// Whose it is; empty for a client that acts for itself.
  package var persona: String
  package var client: String
  package var scope: String
  /// All that came of one authorization has the same.
  package var family: String
  package var nonce: String?
  package var redirectURI: String?
  /// Of PKCE: the challenge, and whether it is the verifier itself.
  package var challenge: String?
  package var isPlainChallenge = false
  /// When the person proved who they are, in seconds.
  package var authTime: Int64 = 0
  /// Whether a refresh token was asked for.
  package var isOffline = false
  package var tenant: String?
  /// Whether it was used, and counts no more.
  package var isUsed = false
  /// Of OAuth 1.0a: with what the client signs beside its own secret.
  package var tokenSecret: String?
  /// Whether the token counts in requests that are signed with it, and in no others.
  package var isOfOAuth1 = false
  /// What else is to be remembered.
  package var note: String?

  package init(
    provider: String, persona: String, client: String, scope: String, family: String
  ) {
    self.provider = provider
    self.persona = persona
    self.client = client
    self.scope = scope
    self.family = family
  }

  package var scopes: Set<String> {
    Set(scope.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "+" }).map(String.init))
  }

  // MARK: As text

  var record: JSON {
    .members([
      "provider": .string(provider), "persona": .string(persona), "client": .string(client),
      "scope": .string(scope), "nonce": nonce.json, "redirectUri": redirectURI.json,
      "challenge": challenge.json, "plain": isPlainChallenge ? true : nil,
      "authTime": .int(authTime), "offline": isOffline ? true : nil, "tenant": tenant.json,
      "used": isUsed ? true : nil, "note": note.json,
      "secret": tokenSecret.json, "oauth1": isOfOAuth1 ? true : nil,
    ])
  }

  init(record: JSON, family: String) {
    self.init(
      provider: record["provider"]?.string ?? "", persona: record["persona"]?.string ?? "",
      client: record["client"]?.string ?? "", scope: record["scope"]?.string ?? "", family: family)
    nonce = record["nonce"]?.string
    redirectURI = record["redirectUri"]?.string
    challenge = record["challenge"]?.string
    isPlainChallenge = record["plain"]?.bool ?? false
    authTime = record["authTime"]?.integer ?? 0
    isOffline = record["offline"]?.bool ?? false
    tenant = record["tenant"]?.string
    isUsed = record["used"]?.bool ?? false
    note = record["note"]?.string
    tokenSecret = record["secret"]?.string
    isOfOAuth1 = record["oauth1"]?.bool ?? false
  }
}
