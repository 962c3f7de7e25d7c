import HearthWire

/// Signs in as the app does.
enum SignIn: Tool {
  static let name = "sign_in"
  static let summary = """
    Signs in as the app does, with e-mail and password, or with e-mail and the code of an \
    EMAIL_SIGNIN mail. Returns tokens and claims. To get a token without a password use mint_token.
    """
  static let example: JSON = ["email": "ann@example.com", "password": "new secret"]
  static let effect = ToolEffect.reads
  static let parameters = [
    Parameter("email", kind: .string, text: "E-mail address.", isRequired: true),
    Parameter("password", kind: .string, text: "Password."),
    Parameter(
      "code", kind: .string, text: "Instead of the password: the code of the sign-in link."),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    var body = arguments.only("email")
    let verb: String
    if let password = arguments["password"] {
      verb = "signInWithPassword"
      body["password"] = password
      body["returnSecureToken"] = true
    } else if let code = arguments["code"] {
      verb = "signInWithEmailLink"
      body["oobCode"] = code
    } else {
      throw ToolFailure(
        "\"password\" or \"code\" is missing.", next: "Call again with \(example.text)")
    }
    return IssuedTokens.brief(try await project.asApp(verb, body: body, advice: advice))
  }

  private static let advice: HearthProject.Advice = [
    "INVALID_PASSWORD": "Reset it: wait_for_mail with \"send\" and PASSWORD_RESET, then open_link.",
    "INVALID_LOGIN_CREDENTIALS": "Address or password is wrong. Reset the password: wait_for_mail "
      + "with \"send\" and PASSWORD_RESET, then open_link.",
    "EMAIL_NOT_FOUND": "Create the user with create_user.",
    "USER_DISABLED": "The account is disabled; create another user.",
    "INVALID_OOB_CODE": "Get a new mail: wait_for_mail with \"send\" and EMAIL_SIGNIN.",
    "TOO_MANY_ATTEMPTS":
      "A limit or a fault acts: see the faults with add_fault, or advance_clock.",
  ]
}
