import HearthControl
import HearthOperations
import HearthServiceAccounts
import HearthTime
import HearthTokens
import HearthTransport
import HearthWire

/// The token exchange of RFC 8693, as workload identity federation calls it.
///
/// The subject has to be a token that can be verified here: one of ours, one that the service account
/// signed, or one of an identity provider whose keys are configured.
enum ExchangeToken: ServerOperation {
  private static let exchange = "urn:ietf:params:oauth:grant-type:token-exchange"
  private static let accessToken = "urn:ietf:params:oauth:token-type:access_token"

  static func run(
    _ request: ServerRequest, with google: GoogleTokens
  ) async throws -> OutgoingReply {
    guard !request.isOfForeignPage else { return ServerRequest.refusedPage }
    let form = request.form
    guard form["grant_type"] == exchange else {
      return OAuth.refusal(.unsupportedGrantType, description: "grant_type must be \(exchange)")
    }
    guard let subject = form["subject_token"].nonEmpty else {
      return OAuth.refusal(
        .invalidRequest, description: "Missing required parameter: subject_token")
    }
    let accounts = google.server.serviceAccounts
    guard try await isGood(subject, google: google) else {
      return OAuth.refusal(
        .invalidGrant,
        description:
          "The subject token cannot be verified here. Give the keys of its issuer with --idp-keys, or "
          + "start Hearth with --accept-any-service-account. Nothing was sent.")
    }
    let scope = form["scope"] ?? ""
    let email = try await accounts.account().email
    return OAuth.answer(
      .members([
        "access_token": .string(google.issueAccessToken(to: email, scope: scope)),
        "issued_token_type": .string(accessToken), "token_type": .string(OAuth.bearer),
        "expires_in": .int(OAuth.lifetime),
      ]))
  }

  private static func isGood(_ subject: String, google: GoogleTokens) async throws -> Bool {
    let accounts = google.server.serviceAccounts
    let now = google.accountTime
    if accounts.acceptsAny || accounts.hasIssued(subject, at: now) { return true }
    try await google.keys.waitUntilReady()
    if let token = google.keys.present(subject), case .ours = token.signature {
      return (token.claims["exp"]?.integer ?? 0) > now.seconds
    }
    if let account = accounts.known, let token = JWT(subject), token.algorithm == "RS256",
      account.key.verify(token.signature, of: token.signingInput)
    {
      return (token.claims["exp"]?.integer ?? 0) > now.seconds
    }
    do throws(IdpKeys.Refusal) {
      _ = try await google.server.idpKeys.verify(subject, at: google.assertionTimes)
      return true
    } catch {
      return false
    }
  }
}
