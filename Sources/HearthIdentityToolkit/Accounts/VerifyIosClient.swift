import HearthCrypto
import HearthErrors
import HearthOperations
import HearthWire

/// Answers an iOS app that asks for a silent push before it sends a text message.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/verifyIosClient
///
/// No push follows. SDKs wait for it for the suggested time, then go on with the receipt alone.
enum VerifyIosClient: Operation {
  struct Request: OperationRequest {
    let appToken: String?

    init(_ wire: WireRequest) {
      appToken = wire.string("appToken")
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    guard request.appToken.isGiven else { throw APIError(.missingIosAppToken) }
    return .json([
      "receipt": .string(context.random.base64URL(43)),
      "suggestedTimeout": "1",
    ])
  }
}
