import HearthWire

/// Waits for a mail or text message whose code works.
enum WaitForMail: Tool {
  static let name = "wait_for_mail"
  static let summary = """
    Waits for the newest mail or SMS with a code or link that still works, and returns code and \
    link. With "send" it requests the mail first, as the app would. Mails of Auth and of the app's \
    own mailer are found.
    """
  static let example: JSON = ["to": "ann@example.com", "type": "PASSWORD_RESET", "send": true]
  static let effect = ToolEffect.reads
  static let parameters = [
    Parameter("to", .string, "Recipient: an e-mail address or phone number."),
    Parameter(
      "type", .string, "PASSWORD_RESET, VERIFY_EMAIL, EMAIL_SIGNIN, SMS, or a type of app mail."),
    Parameter("send", .boolean, "Request the mail of that type for \"to\" before waiting."),
    Parameter(
      "seconds", .whole(0...60), "How long to wait; 10 without it. 0 takes the newest mail."),
    Parameter("search", .string, "A search such as: from:shop subject:order has:link"),
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
      return brief(try await project.control("GET", "/messages/latest?\(query.text)"))
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
    let body: JSON = .members([
      "requestType": .string(type), "email": .string(address),
      "continueUrl": type == "EMAIL_SIGNIN" ? "http://localhost/" : nil,
      "canHandleCodeInApp": type == "EMAIL_SIGNIN" ? true : nil,
    ])
    _ = try await project.administer(
      "accounts:sendOobCode", body,
      advice: [
        "EMAIL_NOT_FOUND": "Create the user with create_user first.",
        "": "\"send\" works for PASSWORD_RESET, VERIFY_EMAIL and EMAIL_SIGNIN.",
      ])
  }

  /// What is in the mailbox instead.
  private static func explained(
    _ failure: ToolFailure, in project: HearthProject
  ) async throws(ToolFailure) -> ToolFailure {
    guard failure.reason.contains("NOT_FOUND") else { return failure }
    let answer = try await project.control("GET", "/messages?limit=5&delivery=any")
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
      "createdAt": mail["createdAt"],
      "text": mail["text"]?.string.map { .string($0.shortened(to: 1500)) },
    ])
  }
}
