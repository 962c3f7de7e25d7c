import HearthWire

/// Opens the link of a mail, as a person does who follows it.
enum OpenLink: Tool {
  static let name = "open_link"
  static let summary = """
    Follows a link that Auth has mailed: sets the new password, verifies the address, or undoes a \
    change. Takes the link, or the address whose newest working mail has it. Only links of Hearth \
    are opened; nothing leaves this machine.
    """
  static let example: JSON = ["to": "ann@example.com", "newPassword": "new secret"]
  static let effect = ToolEffect.replaces
  static let parameters = [
    Parameter("link", kind: .string, text: "The link, as wait_for_mail returned it."),
    Parameter("to", kind: .string, text: "Instead of the link: the recipient of the mail."),
    Parameter(
      "type", kind: .string, text: "With \"to\": the type of the mail, such as PASSWORD_RESET."),
    Parameter("newPassword", kind: .string, text: "For links of PASSWORD_RESET."),
  ]

  private static let path = "/emulator/action"

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    let link = try await link(arguments, in: project)
    guard let url = WebURL(link), let fields = url.query.map({ FormFields(parsing: $0) }),
      url.beforeQuery.hasSuffix(path) || url.beforeQuery.hasSuffix("/__/auth/action"),
      let mode = fields["mode"]
    else {
      throw ToolFailure(
        "\(link.shortened(to: 300)) is not a link of Auth, and was not opened.",
        next: "A link of the app is for the app: request it with your own HTTP client or browser. "
          + "A code is in the answer of wait_for_mail.")
    }
    if mode == "signIn" {
      return .members([
        "mode": "signIn", "code": fields["oobCode"].json, "continueUrl": fields["continueUrl"].json,
        "next": "Call sign_in with the e-mail address and this code.",
      ])
    }
    return try await open(fields, mode: mode, arguments: arguments, in: project)
  }

  private static func open(
    _ given: FormFields, mode: String, arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    var fields = given
    if let password = arguments.string("newPassword") {
      fields.set(FormFields.Pair(name: "newPassword", value: password))
    } else if mode == "resetPassword" {
      throw ToolFailure(
        "The link resets a password.", next: "Call open_link again with \"newPassword\".")
    }
    // The page has nowhere to go.
    fields.pairs.removeAll { $0.name == "continueUrl" }
    let answer = try await project.ask(
      HearthCall("GET", path: "\(path)?\(fields.text)"),
      advice: [
        "INVALID_OOB_CODE": "The code was used before or replaced. Get a new mail: wait_for_mail "
          + "with \"send\".",
        "EXPIRED_OOB_CODE": "Get a new mail: wait_for_mail with \"send\".",
        "WEAK_PASSWORD": "Choose a longer password.",
        "": "If the code no longer works, get a new mail: wait_for_mail with \"send\".",
      ])
    let result = answer["authEmulator"] ?? answer
    return .members([
      "mode": .string(mode), "done": result["success"] ?? true, "email": result["email"],
    ])
  }

  private static func link(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> String {
    if let link = arguments.string("link") { return link }
    guard let address = arguments.string("to") else {
      throw ToolFailure(
        "\"link\" or \"to\" is missing.", next: "Call again with \(example.text)")
    }
    var query = FormFields([
      FormFields.Pair(name: "to", value: address), FormFields.Pair(name: "state", value: "pending"),
    ])
    if let type = arguments.string("type") {
      query.pairs.append(FormFields.Pair(name: "type", value: type))
    }
    let mail = try await project.control(
      "GET", path: "/messages/latest?\(query.text)",
      advice: ["NOT_FOUND": "Get a mail first: wait_for_mail with \"send\"."])
    guard let link = mail["link"]?.string else {
      throw ToolFailure(
        "The newest mail to \(address) has no link.", next: "See it with wait_for_mail.")
    }
    return link
  }
}
