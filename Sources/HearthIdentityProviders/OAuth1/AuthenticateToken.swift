import HearthOperations

/// The page on which somebody allows a client to know them, but for one who has allowed it before and is
/// signed in.
enum AuthenticateToken: OAuth1Operation {
  static func reply(_ call: ProviderCall) throws -> Outcome {
    try TokenVisit.answer(call, endpoint: .authenticateToken)
  }
}
