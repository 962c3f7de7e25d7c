import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthTokens
import HearthWire

/// Makes the tokens of a provider.
struct TokenMint {
  private let call: ProviderCall

  /// By which the refresh token of a person differs from that of a service account.
  static let refreshPrefix = "1//0hearth-"

  init(_ call: ProviderCall) { self.call = call }

  func accessToken(_ grant: Grant) throws -> String {
    let text = try call.personality.hasReadableAccessTokens ? readable(grant) : opaque()
    try call.grants.keep(
      grant, as: .access, text: text,
      seconds: call.personality.accessTokenLifetime ?? Grants.never, at: call.context.now)
    return text
  }

  private func opaque() -> String {
    let random = call.context.random
    return call.personality.accessTokenPrefix
      + (call.personality.name == "github" ? random.alphanumeric(36) : random.base64URL(48))
  }

  /// A token that an API can verify by itself.
  private func readable(_ grant: Grant) throws -> String {
    let persona = try call.personas.persona(grant.persona)
    let token = MicrosoftAccessToken(scope: grant.scope)
    var claims = times(call.personality.accessTokenLifetime ?? Grants.never)
    claims.merge(token.claims(of: grant, persona: persona, call))
    return try signed(
      claims, issuer: call.addresses.issuer(for: persona), audience: token.audience)
  }

  func refreshToken(_ grant: Grant) throws -> String {
    let text = TokenMint.refreshPrefix + call.context.random.base64URL(48)
    try call.grants.keep(
      grant, as: .refresh, text: text, seconds: 180 * 86_400, at: call.context.now)
    return text
  }

  func claiming(_ grant: Grant, persona: Persona, isFirstConsent: Bool = false) -> Claiming {
    Claiming(
      client: grant.client, scopes: Self.plain(grant.scopes),
      subject: persona.ownSubject ?? call.personality.subject(persona, grant.client),
      issuedAt: call.context.now.seconds, isFirstConsent: isFirstConsent)
  }

  /// Google's long names mean the same as the short ones.
  private static func plain(_ scopes: Set<String>) -> Set<String> {
    var scopes = scopes
    for name in ["email", "profile"]
    where scopes.contains("https://www.googleapis.com/auth/userinfo.\(name)") {
      scopes.insert(name)
    }
    return scopes
  }

  /// A token about somebody, with the mistakes that a test has asked for.
  func idToken(
    _ grant: Grant, persona: Persona, accessToken: String?, code: String? = nil
  ) throws -> String {
    let claiming = claiming(grant, persona: persona)
    let fault = call.settings.fault
    var claims = JSONObject(["sub": .string(claiming.subject)])
    claims.merge(times(call.personality.idTokenLifetime))
    claims.merge(
      JSONObject([
        "auth_time": .int(grant.authTime),
        "nonce": fault == .wrongNonce ? "another-nonce" : grant.nonce.json,
        "at_hash": accessToken.map { .string(Self.halfHash($0)) },
        "c_hash": code.map { .string(Self.halfHash($0)) },
        "amr": persona.secondFactor == nil
          || !["oidc", "microsoft"].contains(call.personality.name)
          ? nil : .strings(["pwd", "mfa"]),
        "jti": call.personality.numbersTokens ? .string(call.context.random.base64URL(22)) : nil,
      ]))
    claims.merge(call.personality.claims(persona, claiming))
    return try signed(
      claims, issuer: call.addresses.issuer(for: persona), audience: grant.client)
  }

  /// When a token was made, and when it ends.
  private func times(_ lifetime: Int64) -> JSONObject {
    let now = call.context.now.seconds
    let isExpired = call.settings.fault == .expired
    return JSONObject([
      "iat": .int(isExpired ? now - 2 * lifetime : now),
      "exp": .int(isExpired ? now - lifetime : now + lifetime),
    ])
  }

  private func signed(
    _ claims: JSONObject, issuer: String, audience: String
  ) throws -> String {
    guard let key = call.keys.currentIfReady() else { throw APIError(.internalError) }
    let fault = call.settings.fault
    var all = JSONObject([
      "iss": .string(fault == .wrongIssuer ? "https://somebody-else.example" : issuer),
      "aud": .string(fault == .wrongAudience ? "another-client" : audience),
    ])
    all.merge(claims)
    let token = try JWT.signed(all, by: key, omittingType: call.personality.posts)
    return fault == .wrongSignature ? Self.tampered(token) : token
  }

  /// The left half of the digest, as OpenID Connect binds a token to another.
  private static func halfHash(_ text: String) -> String {
    Base64.encodeURL(Array(Digest.sha256.hash(Array(text.utf8)).prefix(16)))
  }

  /// The first character of the signature is another one. The last may hold unused bits.
  private static func tampered(_ token: String) -> String {
    var parts = token.split(separator: ".").map(String.init)
    guard let signature = parts.popLast() else { return token }
    let first = signature.hasPrefix("A") ? "B" : "A"
    return (parts + [first + signature.dropFirst()]).joined(separator: ".")
  }
}
