import ArgumentParser
import Foundation
import HearthCore

/// `hearth mail`: the newest mail, or just its code or link, for scripts.
struct MailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: "Print the newest mail, or its code or link.")

  @Option(help: "Only mail to this address.")
  var to: String?

  @Option(help: "Only mail of this type, such as PASSWORD_RESET.")
  var type: String?

  @Option(help: "How long to wait for one, such as 10s.")
  var wait: String?

  @Flag(help: "Print the code only.")
  var code = false

  @Flag(help: "Print the link only.")
  var link = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if code && link { throw ValidationError("--code and --link print only one of them each") }
  }

  func run() async throws {
    let message = try await server.ask("GET", path())
    print(try text(of: message))
  }

  private func path() -> String {
    var query = FormFields()
    for (name, value) in [("to", to), ("type", type), ("wait", wait)] {
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
