import HearthErrors
import HearthOperations
import HearthWire

/// Options with which a browser uses a passkey.
enum PasskeySignInStart: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    return .json([
      "credentialRequestOptions": .members([
        "challenge": .string(Passkeys.challenge(context)),
        "rpId": "localhost",
        "userVerification": "required",
      ])
    ])
  }
}
