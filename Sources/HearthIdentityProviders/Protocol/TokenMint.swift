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
    let length = call.personality.name == "github" ? 36 : 48
    let text =
      call.personality.accessTokenPrefix
      + (call.personality.name == "github"
        ? call.context.random.alphanumeric(length) : call.context.random.base64URL(length))
    try call.grants.keep(
      grant, as: .access, text: text,
      seconds: call.personality.accessTokenLifetime ?? Grants.never, at: call.context.now)
    return text
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
    guard let key = call.keys.currentIfReady() else { throw APIError(.internalError) }
    let now = call.context.now.seconds
    let claiming = claiming(grant, persona: persona)
    let fault = call.settings.fault
    var claims = JSONObject([
      "iss": .string(
        fault == .wrongIssuer
          ? "https://somebody-else.example" : call.addresses.issuer(for: persona)),
      "aud": .string(fault == .wrongAudience ? "another-client" : grant.client),
      "sub": .string(claiming.subject),
      "iat": .int(fault == .expired ? now - 2 * call.personality.idTokenLifetime : now),
      "exp": .int(
        fault == .expired
          ? now - call.personality.idTokenLifetime : now + call.personality.idTokenLifetime),
      "auth_time": .int(grant.authTime),
      "nonce": fault == .wrongNonce ? "another-nonce" : grant.nonce.json,
      "at_hash": accessToken.map { .string(Self.halfHash($0)) },
      "c_hash": code.map { .string(Self.halfHash($0)) },
      "amr": persona.secondFactor == nil || !["oidc", "microsoft"].contains(call.personality.name)
        ? nil : .strings(["pwd", "mfa"]),
      "jti": call.personality.numbersTokens ? .string(call.context.random.base64URL(22)) : nil,
    ])
    claims.merge(call.personality.claims(persona, claiming))
    let token = try JWT.signed(claims, by: key, omittingType: call.personality.posts)
    guard fault == .wrongSignature else { return token }
    return Self.tampered(token)
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
