import HearthErrors
import HearthIdentityToolkit
import HearthOperations
import HearthWire

/// Issues tokens for a user without a sign-in, with other claims if wanted, so that a developer can
/// see an app as somebody else does. The account does not change.
enum ActAs: Operation {
  struct Request: OperationRequest {
    let localId: String?
    let signInProvider: String?
    /// Nil for those of the account; a null takes one away.
    let claims: JSONObject?

    init(_ wire: WireRequest) throws(APIError) {
      for name in wire.body.keys
      where !["localId", "tenantId", "signInProvider", "claims"].contains(name) {
        throw APIError(.invalidArgument, detail: "unknown member '\(name)'")
      }
      localId = wire.string("localId").nonEmpty
      signInProvider = wire.string("signInProvider").nonEmpty
      claims = wire.object("claims")
      guard claims != nil || wire.body["claims"] == nil else {
        throw APIError(.invalidArgument, detail: "/claims must be an object")
      }
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard let localId = request.localId else { throw APIError(.missingLocalId) }
    guard let user = try Accounts(in: project).user(localId: localId) else {
      throw APIError(.userNotFound)
    }
    guard !user.isDisabled else { throw APIError(.userDisabled) }
    // Only the tokens are of this one.
    var actor = user
    actor.lastLoginAt = .milliseconds(of: context.now)
    var given = request.claims ?? JSONObject()
    try CustomClaims.check(given)
    if request.claims != nil {
      var claims = user.customAttributes.flatMap { try? JSON.parse($0).object } ?? JSONObject()
      claims.merge(given)
      actor.customAttributes = JSON.object(claims.withoutNulls).text
    }
    given = given.withoutNulls
    let signIn = SignInFacts(
      request.signInProvider ?? user.likelyProvider, extraClaims: given.isEmpty ? nil : given)
    let tokens = TokenBlock(
      claims: IDTokenClaims.make(
        actor, signIn: signIn, project: project.projectId, now: context.now),
      refreshToken: try Sessions(in: project).makeRefreshToken(
        for: user, signIn: signIn, context: context))
    return .answer(Answer(JSONObject(["localId": .string(localId)]), tokens: tokens))
  }
}

extension User {
  /// How somebody with this account would have signed in.
  fileprivate var likelyProvider: String {
    if customAuth { return "custom" }
    let providers = (providerUserInfo ?? []).map(\.providerId)
    return providers.first { $0 == "password" } ?? providers.first ?? "anonymous"
  }
}

extension JSONObject {
  fileprivate var withoutNulls: JSONObject {
    JSONObject(members: members.filter { !$0.value.isNull })
  }
}
