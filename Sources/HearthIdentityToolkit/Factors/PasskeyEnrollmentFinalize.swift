import HearthErrors
import HearthOperations
import HearthWire

/// Adds a passkey to the account of an ID token.
enum PasskeyEnrollmentFinalize: Operation {
  struct Request: OperationRequest {
    let idToken: String?
    let response: AuthenticatorResponse?
    let name: String?
    let displayName: String?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
      response = wire.object("authenticatorRegistrationResponse").map(AuthenticatorResponse.init)
      name = wire.string("name")
      displayName = wire.string("displayName")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard request.idToken.isGiven else { throw APIError(.missingIDToken) }
    guard let response = request.response else {
      throw APIError(.missingAuthenticatorResponse)
    }
    var user = try Sessions(in: project).userOfToken(context).user
    let credentialId = try response.credentialId()
    if try Accounts(in: project).user(passkey: credentialId) != nil {
      throw APIError(.credentialAlreadyInUse)
    }
    let name =
      request.name.nonEmpty ?? request.displayName.nonEmpty
      ?? "Unnamed Passkey"
    let passkey = JSON.members(["credentialId": .string(credentialId), "name": .string(name)])
    user.passkeyInfo = (user.passkeyInfo ?? []) + [passkey]
    return try SecondFactors(in: project).answerWithTokens(
      user, signIn: SignInFacts("passkey"), extra: ["localId": .string(user.localId)],
      context: context)
  }
}
