import HearthControl
import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTransport
import HearthWire

/// `tokeninfo`: the account, the scopes and the lifetime of an access token.
enum ShowToken: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    guard !request.isOfForeignPage else { return ServerRequest.refusedPage }
    let form = request.form
    let now = google.accountTime
    let accounts = google.server.serviceAccounts
    guard
      let text = form["access_token"].nonEmpty
        ?? FormFields(parsing: request.call.query)["access_token"].nonEmpty,
      let token = accounts.accessTokens.token(text, at: now)
    else { return OAuth.refusal(.invalidToken, description: "Invalid Value") }
    let id = accounts.known?.uniqueId ?? ""
    return OAuth.answer(
      .members([
        "azp": .string(id), "aud": .string(id), "scope": .string(token.scope),
        "exp": .string(String(token.expires.seconds)),
        "expires_in": .string(String(token.expires.seconds - now.seconds)),
        "email": .string(token.email), "email_verified": "true", "access_type": "online",
      ]))
  }
}

/// `revoke`: makes an access token invalid.
enum RevokeToken: ServerOperation {
  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    guard !request.isOfForeignPage else { return ServerRequest.refusedPage }
    let query = FormFields(parsing: request.call.query)
    guard let token = request.form["token"].nonEmpty ?? query["token"].nonEmpty,
      google.server.serviceAccounts.accessTokens.revoke(token)
    else { return OAuth.refusal(.invalidToken, description: "Token expired or revoked") }
    return OAuth.answer([:])
  }
}
