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

  struct Request: OperationRequest {
    let playerId: String?
    let publicKeyUrl: String?
    let signature: String?
    let salt: String?
    let timestamp: String?
    let gamePlayerId: String?
    let teamPlayerId: String?
    let displayName: String?
    let idToken: String?

    init(_ wire: WireRequest) {
      playerId = wire.string("playerId").nonEmpty
      publicKeyUrl = wire.string("publicKeyUrl").nonEmpty
      signature = wire.string("signature").nonEmpty
      salt = wire.string("salt").nonEmpty
      timestamp = wire.string("timestamp").nonEmpty
      gamePlayerId = wire.string("gamePlayerId").nonEmpty
      teamPlayerId = wire.string("teamPlayerId").nonEmpty
      displayName = wire.string("displayName").nonEmpty
      idToken = wire.string("idToken").nonEmpty
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    // SDKs of today know a player by `gamePlayerId` and send an empty `playerId`.
    guard let rawId = request.gamePlayerId ?? request.playerId else { throw missing("playerId") }
    guard let publicKeyUrl = request.publicKeyUrl else { throw missing("publicKeyUrl") }
    guard request.signature != nil else { throw missing("signature") }
    guard request.salt != nil else { throw missing("salt") }
    guard request.timestamp != nil else { throw missing("timestamp") }
    guard let url = WebURL(publicKeyUrl), url.scheme == "https" else {
      throw APIError(.invalidIdpResponse, detail: "publicKeyUrl must be an https URL")
    }
    try IdpConfigs(in: project).requireProviderEnabled(providerId)
    let presented =
      request.idToken == nil ? nil : try Sessions(in: project).userOfToken(context).user
    let owner = try Accounts(in: project).user(providerId: providerId, rawId: rawId)
    if presented != nil, owner != nil { throw APIError(.federatedUserIdAlreadyLinked) }
    let known = presented ?? owner
    if known?.isDisabled == true { throw APIError(.userDisabled) }

    var user =
      known
      ?? User.new(context.random.alphanumeric(28), tenantId: project.tenantId, context: context)
    var entry = ProviderUserInfo(providerId: providerId)
    entry.rawId = rawId
    entry.federatedId = rawId
    entry.displayName = request.displayName
    user.link(entry)
    if known == nil { user.displayName = request.displayName }
    user.lastLoginAt = .milliseconds(of: context.now)
    let members: @Sendable (User) -> JSONObject = { user in
      JSONObject([
        "localId": .string(user.localId),
        "playerId": request.playerId.json,
        "teamPlayerId": request.teamPlayerId.json,
        "gamePlayerId": request.gamePlayerId.json,
        "isNewUser": known == nil ? true : nil,
        "displayName": request.displayName.json,
      ])
    }
    let finish: BlockingFunctions.Finish = {
      user, signIn, project, context throws(APIError) in
      var user = user
      let tokens = try Sessions(in: project).issueTokens(
        for: &user, signIn: signIn, context: context)
      return .answer(Answer(members(user), tokens: tokens))
    }
    let facts = BlockingFacts(signInMethod: providerId)
    return known == nil
      ? try BlockingFunctions(in: project).signingUp(
        user, facts: facts, context: context, finish: finish)
      : try BlockingFunctions(in: project).signingIn(
        user, facts: facts, context: context, finish: finish)
  }

  private static func missing(_ field: String) -> APIError {
    APIError(.invalidIdpResponse, detail: "\(field) is missing")
  }
}
