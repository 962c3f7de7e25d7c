import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// Options with which a browser makes a passkey. As in the official emulator, the challenge is not
/// checked later.
enum PasskeyEnrollmentStart: Operation {
  struct Request: OperationRequest {
    let idToken: String?

    init(_ wire: WireRequest) {
      idToken = wire.string("idToken")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    guard request.idToken.isGiven else { throw APIError(.missingIDToken) }
    let user = try Sessions(in: project).userOfToken(context).user
    return .json([
      "credentialCreationOptions": .members([
        "rp": ["name": "localhost", "id": "localhost"],
        "user": .members([
          "id": .string(Base64.encode(Array(user.localId.utf8))),
          "name": .string(user.email?.text ?? "user@example.com"),
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
}

/// An authenticator's answer, of which only the credential's id counts.
struct AuthenticatorResponse: Sendable {
  let id: String?

  init(_ response: JSONObject) { id = response["id"]?.string }

  func credentialId() throws(APIError) -> String {
    guard let id = id.nonEmpty else { throw APIError(.invalidCredentialId) }
    return id
  }
}
