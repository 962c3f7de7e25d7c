import HearthWire

/// Waits for a mail, a text message or a push message whose code works.
enum WaitForMail: Tool {
  static let name = "wait_for_mail"
  static let summary = """
    Waits for the newest mail, SMS or push message with a code or link that still works, and returns code and \
    link. With "send" it requests the mail first, as the app would. Mails of Auth and of the app's \
    own mailer are found.
    """
  static let example: JSON = ["to": "ann@example.com", "type": "PASSWORD_RESET", "send": true]
  static let effect = ToolEffect.reads
  static let parameters = [
    Parameter("to", kind: .string, text: "Recipient: e-mail address, phone number, or push token."),
    Parameter(
      "type", kind: .string,
      text: "PASSWORD_RESET, VERIFY_EMAIL, EMAIL_SIGNIN, SMS, PUSH, or a type of app mail."),
    Parameter(
      "send", kind: .boolean, text: "Request the mail of that type for \"to\" before waiting."),
    Parameter(
      "seconds", kind: .whole(0...60),
      text: "Seconds to wait (default: 10). 0 returns the newest mail at once."),
    Parameter("search", kind: .string, text: "A search such as: from:shop subject:order has:link"),
  ]

  static func run(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) -> JSON {
    if arguments.bool("send") { try await request(arguments, in: project) }
    let seconds = arguments.whole("seconds", default: 10)
    var query = FormFields()
    let fields = [
      ("to", arguments.string("to")), ("type", arguments.string("type")),
      ("q", arguments.string("search")), ("wait", seconds == 0 ? nil : "\(seconds)s"),
    ]
    for case (let name, let value?) in fields {
      query.pairs.append(FormFields.Pair(name: name, value: value))
    }
    do throws(ToolFailure) {
      return brief(try await project.control("GET", path: "/messages/latest?\(query.text)"))
    } catch {
      throw try await explained(error, in: project)
    }
  }

  /// Has Auth send the mail.
  private static func request(
    _ arguments: Arguments, in project: HearthProject
  ) async throws(ToolFailure) {
    guard let address = arguments.string("to"), let type = arguments.string("type") else {
      throw ToolFailure(
        "\"send\" needs \"to\" and \"type\".", next: "Call again with \(example.text)")
    }
    guard sent.contains(type) else {
      throw ToolFailure(
        "\"send\" does not work for \(type.shortened(to: 80)).",
        next: "Let the app send it, or use one of \(sent.joined(separator: ", ")).")
    }
    let isSignIn = type == "EMAIL_SIGNIN"
    let body: JSON = .members([
      "requestType": .string(type), "email": .string(address),
      "idToken": type == "VERIFY_EMAIL" ? try await token(of: address, in: project) : nil,
      "continueUrl": isSignIn ? "http://localhost/" : nil,
      "canHandleCodeInApp": isSignIn ? true : nil,
    ])
    _ = try await project.administer("accounts:sendOobCode", body: body, advice: advice)
  }

  /// What Auth sends when it is asked to.
  private static let sent = ["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN"]

  private static let advice: HearthProject.Advice = [
    "EMAIL_NOT_FOUND": "Create the user with create_user first.",
    "INVALID_EMAIL": "Write \"to\" as an e-mail address: ann@example.com.",
    "USER_DISABLED": "The account is disabled, and gets no such mail. Use another user.",
  ]

  /// An ID token of the user. Auth sends the mail that verifies an address to the user who asks for
  /// it, and to nobody else.
  private static func token(
    of address: String, in project: HearthProject
  ) async throws(ToolFailure) -> JSON? {
    let found = try await project.administer(
      "accounts:lookup", body: ["email": [.string(address)]], advice: advice)
    guard let uid = found["users"]?.array?.first?["localId"] else {
      throw ToolFailure(
        "EMAIL_NOT_FOUND: no user has the address \(address.shortened(to: 200)).",
        next: "Create the user with create_user first.")
    }
    return try await project.control(
      "POST", path: "/accounts:actAs", body: ["localId": uid], advice: advice)["idToken"]
  }

  /// What is in the mailbox instead.
  private static func explained(
    _ failure: ToolFailure, in project: HearthProject
  ) async throws(ToolFailure) -> ToolFailure {
    guard failure.reason.contains("NOT_FOUND") else { return failure }
    let answer = try await project.control("GET", path: "/messages?limit=5&delivery=any")
    let lines = (answer["messages"]?.array ?? []).map { mail in
      ["to", "type", "subject", "state"].compactMap { mail[$0]?.string?.shortened(to: 80) }
        .joined(separator: " · ")
    }
    return ToolFailure(
      lines.isEmpty
        ? "\(failure.reason). The mailbox of \(project.id) is empty."
        : "\(failure.reason). The newest in the mailbox:\n\(lines.joined(separator: "\n"))",
      next: "See with the tool requests whether the app asked for the mail, in this project; "
        + "\"seconds\": 0 returns the newest mail also if its code is used or expired.")
  }

  /// What a test needs of a mail.
  static func brief(_ mail: JSON) -> JSON {
    .members([
      "id": mail["id"], "type": mail["type"], "to": mail["to"], "subject": mail["subject"],
      "code": mail["code"], "link": mail["link"], "state": mail["state"],
      "createdAt": mail["createdAt"], "push": mail["push"],
      "text": mail["text"]?.string.map { .string($0.shortened(to: 1500)) },
    ])
  }
}
