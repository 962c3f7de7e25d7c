import HearthErrors
import HearthOperations
import HearthTime

/// Signs in with a passkey. Only its id is checked, without cryptography.
enum PasskeySignInFinalize: Operation {
  struct Request: OperationRequest {
    let response: AuthenticatorResponse?

    init(_ wire: WireRequest) {
      response = wire.object("authenticatorAuthenticationResponse").map(AuthenticatorResponse.init)
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard let response = request.response else {
      throw APIError(.missingAuthenticatorResponse)
    }
    guard var user = try Accounts(in: project).user(passkey: try response.credentialId()) else {
      throw APIError(.passkeyCredentialNotFound)
    }
    if user.isDisabled { throw APIError(.userDisabled) }
    user.lastLoginAt = .milliseconds(of: context.now)
    return try SecondFactors(in: project).answerWithTokens(
      user, signIn: SignInFacts("passkey"), extra: [:], context: context)
  }
}
