import HearthControl
import HearthCrypto
import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTransport
import HearthWire

/// `POST /token`: an access token for an assertion of a service account, or for a refresh token.
/// https://developers.google.com/identity/protocols/oauth2/service-account#httprest
enum GrantToken: ServerOperation {
  /// The addresses that key files have named as `token_uri`.
  private static let audiences: Set = [
    "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
    "https://accounts.google.com/o/oauth2/token", "https://www.googleapis.com/oauth2/v3/token",
  ]

  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    guard !request.isOfForeignPage else { return ServerRequest.refusedPage }
    let form = request.form
    switch form["grant_type"] {
    case "urn:ietf:params:oauth:grant-type:jwt-bearer":
      return try await grant(form["assertion"] ?? "", request: request, google: google)
    case "refresh_token":
      return try await refresh(form["refresh_token"] ?? "", form: form, google: google)
    case nil, "":
      return OAuth.refusal(.invalidRequest, description: "Missing required parameter: grant_type")
    default:
      return OAuth.refusal(
        .unsupportedGrantType,
        description: "Hearth grants for assertions and for its own refresh tokens.")
    }
  }

  // MARK: Assertions

  private static func grant(
    _ text: String, request: ServerRequest, google: GoogleTokens
  ) async throws -> OutgoingReply {
    let accounts = google.server.serviceAccounts
    let assertion: Assertion
    do throws(Assertion.Refusal) {
      assertion = try accounts.assertion(text, at: google.assertionTimes)
    } catch {
      return OAuth.refusal(.invalidGrant, description: error.description)
    }
    let claims = assertion.claims
    guard let audience = claims["aud"]?.string, isHere(audience, request: request) else {
      return OAuth.refusal(.invalidGrant, description: Assertion.Refusal.audience.description)
    }
    if let subject = claims["sub"]?.string, subject != assertion.issuer {
      return OAuth.refusal(
        .unauthorizedClient,
        description: "The service account acts for itself only, and not for other users.")
    }
    if let target = claims["target_audience"]?.string {
      let token = try await accounts.identityToken(
        for: target, email: assertion.issuer, at: google.accountTime)
      return OAuth.answer(.members(["id_token": .string(token)]))
    }
    guard let scope = claims["scope"]?.string, !scope.isEmpty else {
      return OAuth.refusal(
        .invalidRequest, description: "The assertion names neither scope nor target_audience.")
    }
    return issue(assertion.issuer, scope: scope, google: google)
  }

  /// Whether an assertion is for this endpoint: at an address of Google's, or at that of the call.
  private static func isHere(_ audience: String, request: ServerRequest) -> Bool {
    guard !audiences.contains(audience) else { return true }
    let own = (request.call.host ?? "") + request.call.path
    return audience == "http://" + own || audience == "https://" + own
  }

  // MARK: Refresh tokens

  /// Real ones are secrets that last: only our own is taken, and none is kept.
  private static func refresh(
    _ token: String, form: FormFields, google: GoogleTokens
  ) async throws -> OutgoingReply {
    let account = try await google.server.serviceAccounts.account()
    guard ConstantTime.equal(token, try account.refreshToken()) else {
      return OAuth.refusal(
        .invalidGrant,
        description:
          "Bad Request: Hearth did not issue this refresh token. If it is a real one, it did not leave "
          + "this machine.")
    }
    return issue(
      account.email, scope: form["scope"] ?? "https://www.googleapis.com/auth/cloud-platform",
      google: google)
  }

  private static func issue(
    _ email: String, scope: String, google: GoogleTokens
  ) -> OutgoingReply {
    let token = google.issueAccessToken(to: email, scope: scope)
    return OAuth.answer(
      .members([
        "access_token": .string(token), "expires_in": .int(OAuth.toldLifetime),
        "scope": .string(scope), "token_type": .string(OAuth.bearer),
      ]))
  }
}

extension GoogleTokens {
  func issueAccessToken(
    to email: String, scope: String, lifetime: Int64 = OAuth.lifetime
  ) -> String {
    server.serviceAccounts.accessTokens.issue(
      to: email, scope: scope, expires: accountTime + .seconds(lifetime))
  }
}

extension ServiceAccounts {
  /// An ID token of Google's for a service account. It is signed with the account's own key, so that
  /// it never passes for one of Firebase Auth.
  func identityToken(
    for audience: String, email: String, at now: Timestamp
  ) async throws -> String {
    let account = try await account()
    return try account.sign(
      JSONObject([
        "aud": .string(audience), "azp": .string(account.uniqueId), "email": .string(email),
        "email_verified": true, "exp": .int(now.seconds + OAuth.lifetime),
        "iat": .int(now.seconds), "iss": "https://accounts.google.com",
        "sub": .string(account.uniqueId),
      ]))
  }
}
