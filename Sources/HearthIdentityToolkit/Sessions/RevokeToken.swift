import HearthErrors
import HearthOperations
import HearthWire

/// Takes an identity provider's token that the user wants revoked.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts/revokeToken
///
/// There is no provider behind the emulator to tell, so the request is checked and that is all:
/// as in production, the user's own sessions live on.
enum RevokeToken: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard request.string("idToken").isGiven else { throw APIError(.missingIDToken) }
    guard let providerId = request.string("providerId").nonEmpty else {
      throw APIError(.missingProviderId)
    }
    guard request.string("token").isGiven else { throw APIError(.missingToken) }
    switch request.string("tokenType") {
    case "REFRESH_TOKEN", "ACCESS_TOKEN", "CODE": break
    default: throw APIError(.badArgument, "tokenType must be REFRESH_TOKEN, ACCESS_TOKEN or CODE")
    }
    let user = try project.userOfToken(context).user
    guard user.provider(providerId.lowercased()) != nil else { throw APIError(.noSuchProvider) }
    return .json([:])
  }
}
