import HearthErrors
import HearthOperations
import HearthWire

/// Adds a passkey to the account of an ID token.
enum PasskeyEnrollmentFinalize: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard request.string("idToken").isGiven else { throw APIError(.missingIDToken) }
    guard let response = request.object("authenticatorRegistrationResponse") else {
      throw APIError(.missingAuthenticatorResponse)
    }
    var user = try project.userOfToken(context).user
    let credentialId = try Passkeys.credentialId(response)
    if try project.user(passkey: credentialId) != nil { throw APIError(.credentialAlreadyInUse) }
    let name =
      request.string("name").nonEmpty ?? request.string("displayName").nonEmpty
      ?? "Unnamed Passkey"
    let passkey = JSON.members(["credentialId": .string(credentialId), "name": .string(name)])
    user.passkeyInfo = (user.passkeyInfo ?? []) + [passkey]
    return try project.answerWithTokens(
      user, SignInFacts("passkey"), ["localId": .string(user.localId)], context)
  }
}
