import HearthWire

/// Tokens of any user, without a sign-in.
enum MintToken: Tool {
  static let name = "mint_token"
  static let summary = """
    Returns an ID token of a user without a password, optionally with more claims in this token \
    only. For calls of a back end, and of Firestore with rules.
    """
  static let example: JSON = ["uid": "ann", "claims": ["role": "editor"]]
  static let effect = ToolEffect.reads
  static let parameters = [
    Parameter("uid", kind: .string, text: "The uid of the user.", isRequired: true),
    Parameter("claims", kind: .object, text: "Claims to add to this token; null removes one."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    var body = JSONObject()
    body["localId"] = arguments["uid"]
    body["claims"] = arguments["claims"]
    let tokens = try await project.control(
      "POST", path: "/accounts:actAs", body: .object(body),
      advice: ["": "Create the user with create_user; \"uid\" can be chosen there."])
    return IssuedTokens.brief(tokens)
  }
}

/// What a sign-in has returned.
enum IssuedTokens {
  static func brief(_ tokens: JSON) -> JSON {
    if let pending = tokens["mfaPendingCredential"] {
      return [
        "mfaPendingCredential": pending,
        "next": "The user has a second factor. Use mint_token to go on without it.",
      ]
    }
    let claims = tokens["idToken"]?.string.flatMap(claims)
    return .members([
      "uid": tokens["localId"], "email": tokens["email"], "idToken": tokens["idToken"],
      "refreshToken": tokens["refreshToken"], "expiresIn": tokens["expiresIn"], "claims": claims,
    ])
  }

  /// The claims in a token, which is not verified: the server has just made it.
  private static func claims(_ token: String) -> JSON? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(String(parts[1])) else { return nil }
    return try? JSON.parse(bytes)
  }
}
