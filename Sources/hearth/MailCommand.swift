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

  @Option(help: "The project. (default: $GCLOUD_PROJECT or demo-hearth)")
  var project: String?

  @Option(help: "Where hearth is. (default: $HEARTH_CONSOLE_URL, else Auth's address)")
  var address: String?

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let place =
      address ?? environment["HEARTH_CONSOLE_URL"] ?? environment["FIREBASE_AUTH_EMULATOR_HOST"]
      ?? "127.0.0.1:9099"
    guard let client = LoopbackClient(place) else {
      throw ValidationError("'\(place)' is no address of the form host:port")
    }
    let project =
      project ?? environment["GCLOUD_PROJECT"] ?? environment["HEARTH_PROJECT"] ?? "demo-hearth"
    let reply: LoopbackClient.Reply
    do {
      reply = try await client.get(path(project))
    } catch {
      throw CommandFailure("no hearth answers at \(place)")
    }
    let json = try? JSON.parse(reply.body)
    guard reply.status == 200, let message = json else {
      throw CommandFailure(json?["error"]?["message"]?.string ?? "status \(reply.status)")
    }
    print(try text(of: message))
  }

  private func path(_ project: String) -> String {
    var query = FormFields()
    for (name, value) in [("to", to), ("type", type), ("wait", wait)] {
      if let value { query.pairs.append(FormFields.Pair(name: name, value: value)) }
    }
    let project = PercentCoding.encodeComponent(project)
    return "/emulator/v1/projects/\(project)/messages/latest?" + query.text
  }

  private func text(of message: JSON) throws -> String {
    func field(_ name: String) throws -> String {
      guard let value = message[name]?.string else {
        throw CommandFailure("the mail has no \(name)")
      }
      return value
    }
    if code { return try field("oobCode") }
    if link { return try field("oobLink") }
    return try """
    From: \(field("from"))
    To: \(field("to"))
    Subject: \(field("subject"))
    Date: \(field("createdAt"))

    \(field("text"))
    """
  }
}
