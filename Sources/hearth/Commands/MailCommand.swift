import ArgumentParser
import HearthWire

/// `hearth mail`: the newest mail, or just its code or link, for scripts.
struct MailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: "Print the newest mail, or its code or link.",
    discussion: """
      With --wait, only a mail whose code works is taken, so that the mail of an earlier test is \
      not mistaken for the one that is waited for. --any takes mails with other codes too.

      hearth mail --to ann@example.com --wait 10s --code
      hearth mail --state used --since 2027-01-31T09:30:00Z
      """)

  @Option(help: "Only mail to this address.")
  var to: String?

  @Option(help: "Only mail of this type, such as PASSWORD_RESET.")
  var type: String?

  @Option(help: "How long to wait for one, such as 10s; 5 minutes at most.")
  var wait: String?

  @Option(help: "Only mail that came after the mail with this id, or at this time or later.")
  var since: String?

  @Option(
    help: """
      Only mail whose code is pending, used or expired, or any. (default: pending with --wait, \
      else any)
      """)
  var state: String?

  @Flag(help: "Mail with any code, used or expired too; the same as --state any.")
  var any = false

  @Flag(help: "Print the code only.")
  var code = false

  @Flag(help: "Print the link only.")
  var link = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if any, state != nil { throw ValidationError("--any and --state cannot be combined") }
    if code && link { throw ValidationError("--code and --link are mutually exclusive") }
  }

  func run() async throws {
    let message = try await server.ask("GET", path())
    let words = try text(of: message)
    if let state = message["state"]?.string, state != "pending", code || link {
      let id = message["id"]?.string ?? ""
      StandardError.say("the code of mail \(id) is \(state)")
    }
    print(words)
  }

  private func path() -> String {
    var query = FormFields()
    for (name, value) in [
      ("to", to), ("type", type), ("wait", wait), ("since", since), ("state", any ? "any" : state),
    ] {
      if let value { query.pairs.append(FormFields.Pair(name: name, value: value)) }
    }
    return "/emulator/v1/projects/\(server.projectSegment)/messages/latest?" + query.text
  }

  private func text(of message: JSON) throws -> String {
    func field(_ name: String, called words: String? = nil) throws -> String {
      guard let value = message[name]?.string else {
        throw CommandFailure("the mail has no \(words ?? name)")
      }
      return value
    }
    if code { return try field("oobCode", called: "code") }
    if link { return try field("oobLink", called: "link") }
    return try """
    From: \(field("from"))
    To: \(field("to"))
    Subject: \(field("subject"))
    Date: \(field("createdAt"))

    \(field("text"))
    """
  }
}
