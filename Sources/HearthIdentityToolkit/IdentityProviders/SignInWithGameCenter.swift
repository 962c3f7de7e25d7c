import HearthCrypto
import HearthErrors
import HearthOperations
import HearthTime
import HearthWire

/// Signs in a player of Apple's Game Center, or links the player to the account of an ID token.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithGameCenter
///
/// The signature is not verified: Apple's certificate cannot be asked for on a closed network.
enum SignInWithGameCenter: Operation {
  static let providerId = "gc.apple.com"

  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard let playerId = request.string("playerId").nonEmpty else { throw missing("playerId") }
    for field in ["publicKeyUrl", "signature", "salt", "timestamp"]
    where !request.string(field).isGiven {
      throw missing(field)
    }
    guard let url = WebURL(request.string("publicKeyUrl") ?? ""), url.scheme == "https" else {
      throw APIError(.invalidIdpResponse, "publicKeyUrl must be an https URL")
    }
    try project.requireProviderEnabled(providerId)
    let rawId = request.string("gamePlayerId").nonEmpty ?? playerId
    let presented =
      request.string("idToken").isGiven ? try project.userOfToken(context).user : nil
    let owner = try project.user(providerId: providerId, rawId: rawId)
    if presented != nil, owner != nil { throw APIError(.federatedUserIdAlreadyLinked) }
    let known = presented ?? owner
    if known?.isDisabled == true { throw APIError(.userDisabled) }

    var user =
      known ?? User.new(context.random.alphanumeric(28), tenantId: project.tenantId, context)
    var entry = ProviderUserInfo(providerId: providerId)
    entry.rawId = rawId
    entry.federatedId = rawId
    let displayName = request.string("displayName").nonEmpty
    entry.displayName = displayName
    user.link(entry)
    if known == nil { user.displayName = displayName }
    user.lastLoginAt = .milliseconds(of: context.now)
    let members: @Sendable (User) -> JSONObject = { user in
      JSONObject([
        "localId": .string(user.localId),
        "playerId": .string(playerId),
        "teamPlayerId": request.string("teamPlayerId").nonEmpty.json,
        "gamePlayerId": request.string("gamePlayerId").nonEmpty.json,
        "isNewUser": known == nil ? true : nil,
        "displayName": displayName.json,
      ])
    }
    let finish: ProjectTransaction.Finish = {
      user, signIn, project, context throws(APIError) in
      var user = user
      let tokens = try project.issueTokens(for: &user, signIn, context)
      return .answer(Answer(members(user), tokens: tokens))
    }
    let facts = BlockingFacts(signInMethod: providerId)
    return known == nil
      ? try project.signingUp(user, facts, context, finish: finish)
      : try project.signingIn(user, facts, context, finish: finish)
  }

  private static func missing(_ field: String) -> APIError {
    APIError(.invalidIdpResponse, "\(field) is missing")
  }
}
