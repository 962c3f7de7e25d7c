import HearthTokens
import HearthWire

/// What is special about an identity provider: the data by which one protocol plays all of them.
package struct Personality: Sendable {
  /// What becomes of refresh tokens.
  enum Refreshing: Sendable {
    /// A token counts once, and its successor comes with the answer.
    case rotates
    /// The token stays.
    case stays
    /// It stays, and comes only to who asks for `access_type=offline`.
    case staysWhereOffline
    case never
  }

  /// How the token endpoint answers.
  enum Wording: Sendable {
    case json
    /// A form unless JSON is asked for, and refusals with status 200.
    case github
    /// With numbers and times beside each refusal.
    case microsoft
    /// With Google's descriptions.
    case google
    /// An object with a number for each refusal.
    case facebook
  }

  /// Its name in addresses.
  package let name: String
  /// What people call it.
  let title: String
  /// Its id in Firebase; nil for providers that projects configure themselves.
  package let providerId: String?
  /// The issuer in its tokens where it has its own host name. `{tenant}` stands for a tenant.
  let issuer: String?
  /// Whether it has discovery, ID tokens and the rest of OpenID Connect.
  var speaksOpenID = true
  /// Whether it speaks SAML 2.0, and nothing of OAuth.
  var speaksSAML = false
  /// Whether it has tokens of OAuth 1.0a too, with which clients sign.
  var speaksOAuth1 = false
  var codeLifetime: Int64 = 600
  var accessTokenLifetime: Int64? = 3600
  var idTokenLifetime: Int64 = 3600
  var accessTokenPrefix = ""
  /// By what its ID tokens are signed, unless a test has set another way.
  var algorithm = SigningAlgorithm.rs256
  var refreshing = Refreshing.rotates
  var wording = Wording.json
  /// What a client asks for that does not say it; nil where it has to.
  var standardResponseType: String?
  /// The grant of a client that does not name one; nil where it has to.
  var standardGrantType: String?
  var tokenType = "Bearer"
  /// Whether a code is redeemed without its address too.
  var redeemsWithoutAddress = false
  /// Whether no client gets a code without PKCE.
  var needsChallenge = false
  /// Whether `response_mode` has to be `form_post` where a name or an address is asked for.
  var posts = false
  /// Whether a client proves itself with a JWT that it has signed.
  var takesSignedSecrets = false
  /// Whether to take one token back ends all that the client has of the person.
  var revokesAuthorizations = false
  /// Whether each ID token has an id of its own.
  var numbersTokens = false
  /// What else clients may name among response types: it changes nothing.
  var otherResponseTypes: Set<String> = []
  /// Whether its access tokens are JWTs, which an API can read.
  var hasReadableAccessTokens = false
  /// How people are known to clients.
  var subject: @Sendable (Persona, _ client: String) -> String = { persona, _ in
    persona.digits(20, for: "oidc")
  }
  /// The claims of ID tokens about somebody, beyond those of the protocol.
  var claims: @Sendable (Persona, Claiming) -> JSONObject = { $0.claims(for: $1) }
  /// The answer of the endpoint that says whose an access token is; nil for that of OpenID Connect.
  var profile: (@Sendable (Persona, Claiming) -> JSONObject)?
  /// What a client gets that has signed its request; Firebase does.
  var signedProfile: (@Sendable (Persona, Claiming) -> JSONObject)?
}

/// What decides which claims somebody's tokens have.
package struct Claiming: Sendable {
  let client: String
  let scopes: Set<String>
  let subject: String
  let issuedAt: Int64
  /// Whether the client has never had a token of this person.
  var isFirstConsent = false

  /// Google's longer names are as good.
  func has(_ scope: String) -> Bool {
    scopes.contains(scope) || scopes.contains(Self.longScope + scope)
  }

  static let longScope = "https://www.googleapis.com/auth/userinfo."
}
