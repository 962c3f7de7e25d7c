import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// Who is at the browser, and what the provider remembers of them.
extension ProviderCall {
  /// Whom a page of ours says to sign in as; empty for nobody.
  var choice: String? {
    guard self.fields.contains(where: { $0.name == "persona" }) else { return nil }
    return self["persona"] ?? ""
  }

  // MARK: Consents

  private func consentKey(of persona: Persona, client: String) -> String {
    [personality.name, persona.id, client].joined(separator: "\n")
  }

  func hasConsent(of persona: Persona, client: String) throws(APIError) -> Bool {
    try grants.grant(consentKey(of: persona, client: client), kind: .consent, at: context.now)
      != nil
  }

  func keepConsent(of persona: Persona, client: String) throws(APIError) {
    try grants.keep(
      Grant(
        provider: personality.name, persona: persona.id, client: client, scope: "", family: ""),
      as: .consent, text: consentKey(of: persona, client: client), seconds: Grants.never,
      at: context.now)
  }

  /// The client asks as if for the first time.
  func forgetConsent(of persona: String, client: String) throws(APIError) {
    try grants.forget([personality.name, persona, client].joined(separator: "\n"), kind: .consent)
  }

  // MARK: Sessions

  private static let sessionCookie = "hearth_idp"
  private static let sessionLifetime: Int64 = 14 * 86_400

  private var sessionText: String? {
    for pair in (context.cookie ?? "").split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == Self.sessionCookie else {
        continue
      }
      return String(parts[1])
    }
    return nil
  }

  /// Who has signed in at this browser.
  func session() throws(APIError) -> Grant? {
    guard let text = sessionText,
      let grant = try grants.grant(text, kind: .session, at: context.now)?.grant,
      grant.provider == personality.name
    else { return nil }
    return grant
  }

  /// - Returns: a cookie.
  func remember(_ persona: Persona, at authTime: Int64) throws(APIError) -> String {
    let text = context.random.base64URL(40)
    var grant = Grant(
      provider: personality.name, persona: persona.id, client: "", scope: "", family: text)
    grant.authTime = authTime
    try grants.keep(
      grant, as: .session, text: text, seconds: Self.sessionLifetime, at: context.now)
    return cookie(text, seconds: Self.sessionLifetime)
  }

  /// - Returns: a cookie that ends the one the browser has.
  func forgetSession() throws(APIError) -> String {
    if let text = sessionText { try grants.forget(text, kind: .session) }
    return cookie("", seconds: 0)
  }

  private func cookie(_ text: String, seconds: Int64) -> String {
    "\(Self.sessionCookie)=\(text); Path=\(addresses.cookiePath); Max-Age=\(seconds); HttpOnly; "
      + "SameSite=Lax"
  }
}
