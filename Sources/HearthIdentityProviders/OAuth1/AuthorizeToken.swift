import HearthOperations

/// The page on which somebody allows a client to know them: RFC 5849, section 2.2.
enum AuthorizeToken: OAuth1Operation {
  static func reply(_ call: ProviderCall) throws -> Outcome {
    try TokenVisit.answer(call, endpoint: .authorizeToken)
  }
}
