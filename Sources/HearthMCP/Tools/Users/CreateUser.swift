import HearthWire

/// Creates an account, as an administrator.
enum CreateUser: Tool {
  static let name = "create_user"
  static let summary = "Creates a user and returns the uid. Every argument may be left out."
  static let example: JSON = [
    "email": "ann@example.com", "password": "old secret", "claims": ["admin": true],
  ]
  static let effect = ToolEffect.adds
  static let parameters = [
    Parameter("uid", kind: .string, text: "The uid (default: a random one)."),
    Parameter("email", kind: .string, text: "E-mail address."),
    Parameter("password", kind: .string, text: "Password, 6 characters or more."),
    Parameter("phoneNumber", kind: .string, text: "Phone number such as +491701234567."),
    Parameter("displayName", kind: .string, text: "Name."),
    Parameter("emailVerified", kind: .boolean, text: "Whether the address counts as verified."),
    Parameter("disabled", kind: .boolean, text: "Whether the user cannot sign in."),
    Parameter("claims", kind: .object, text: "Custom claims of the tokens."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    var body = arguments.only(
      "email", "password", "phoneNumber", "displayName", "emailVerified", "disabled")
    body["localId"] = arguments["uid"]
    let user = try await project.administer(
      "accounts", body: .object(body),
      advice: [
        "EMAIL_EXISTS": "Use sign_in with this address, or create the user with another one.",
        "DUPLICATE_LOCAL_ID": "Use mint_token with this uid, or leave \"uid\" out.",
        "PHONE_NUMBER_EXISTS": "Use another number.",
        "WEAK_PASSWORD": "Choose a longer password.",
        "INVALID_PHONE_NUMBER": "Write the number as +491701234567.",
      ])
    guard let uid = user["localId"] else { throw ToolFailure("The server returned no uid.") }
    if let claims = arguments["claims"] {
      _ = try await project.administer(
        "accounts:update", body: ["localId": uid, "customAttributes": .string(claims.text)],
        advice: ["": "The user exists without claims; mint_token can add claims to a token."])
    }
    return .members([
      "uid": uid, "email": user["email"], "phoneNumber": arguments["phoneNumber"],
      "claims": arguments["claims"],
    ])
  }
}
