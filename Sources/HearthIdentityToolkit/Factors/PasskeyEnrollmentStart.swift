import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// Options with which a browser makes a passkey. As in the official emulator, the challenge is not
/// checked later.
enum PasskeyEnrollmentStart: Operation {
  static func run(
    _ request: WireRequest, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard request.string("idToken").isGiven else { throw APIError(.missingIDToken) }
    let user = try project.userOfToken(context).user
    return .json([
      "credentialCreationOptions": .members([
        "rp": ["name": "localhost", "id": "localhost"],
        "user": .members([
          "id": .string(Base64.encode(Array(user.localId.utf8))),
          "name": .string(user.email ?? "user@example.com"),
          "displayName": .string(user.displayName ?? "User"),
        ]),
        "challenge": .string(Passkeys.challenge(context)),
        "pubKeyCredParams": [
          ["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257],
        ],
        "timeout": 60000,
        "attestation": "none",
      ])
    ])
  }
}

/// What the passkey operations share.
enum Passkeys {
  static func challenge(_ context: Context) -> String {
    Base64.encode(Array(context.random.alphanumeric(32).utf8))
  }

  /// The credential's id in an authenticator's answer.
  static func credentialId(_ response: JSONObject) throws(APIError) -> String {
    guard let id = (response["id"]?.string).nonEmpty else { throw APIError(.invalidCredentialId) }
    return id
  }
}
