import Foundation

/// Somebody who has accounts at the identity providers that Hearth plays.
public struct Persona: Encodable, Sendable {
  /// The address at all providers.
  public var email: String?
  /// Whether providers vouch for the address.
  public var emailVerified: Bool
  /// The name to show.
  public var displayName: String?
  /// The claim `groups`.
  public var groups: [String]
  /// More claims of every token.
  public var claims: [String: JSONValue]
  /// Whether they refuse to let an app know them.
  public var denies: Bool
  /// Whether providers have shut their accounts.
  public var disabled: Bool

  /// Somebody with an address that is verified, unless told otherwise.
  public init(
    email: String? = nil, emailVerified: Bool = true, displayName: String? = nil,
    groups: [String] = [], claims: [String: JSONValue] = [:], denies: Bool = false,
    disabled: Bool = false
  ) {
    self.email = email
    self.emailVerified = emailVerified
    self.displayName = displayName
    self.groups = groups
    self.claims = claims
    self.denies = denies
    self.disabled = disabled
  }
}

extension HearthClient {
  /// Lets the project's identity providers know somebody.
  ///
  /// - Parameters:
  ///   - name: what tests call them, such as `ada`.
  ///   - persona: who they are.
  /// - Throws: ``HearthError``, with `INVALID_ARGUMENT`.
  public func putPersona(_ name: String, _ persona: Persona) async throws {
    try await control(
      "PUT", "personas/\(name)", json: try JSONEncoder().encode(persona),
      answering: Nothing.self)
  }

  /// Signs in as a persona with tokens that a provider of Hearth's has signed.
  ///
  /// - Parameters:
  ///   - persona: the name of somebody whom the providers know.
  ///   - provider: such as `google.com`, `github.com` or `oidc.my-provider`.
  /// - Returns: the session.
  /// - Throws: ``HearthError``, also for somebody who denies apps to know them.
  public func signIn(persona: String, provider: String = "google.com") async throws -> Session {
    struct Tokens: Decodable {
      let providerId: String
      let idToken: String?
      let accessToken: String
      let tokenSecret: String?
    }
    let tokens = try await control(
      "POST", "personas/\(persona):signIn", ["provider": provider], answering: Tokens.self)
    var token = tokens.idToken.map { "id_token=\($0)" } ?? "access_token=\(tokens.accessToken)"
    if let secret = tokens.tokenSecret { token += "&oauth_token_secret=\(secret)" }
    return try await accounts(
      "signInWithIdp",
      [
        "requestUri": "http://localhost", "returnSecureToken": true,
        "postBody": "providerId=\(tokens.providerId)&\(token)",
      ], answering: Session.self)
  }
}
