import ArgumentParser
import HearthWire

/// `hearth inbox`: mails, text messages and push messages together.
struct InboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inbox", abstract: "List mails, text messages and push messages together.",
    discussion: """
      A line for each message, the oldest first: id, time, kind, recipient, subject, code. With \
      --wait, the newest message that comes; with --json, messages as JSON.

      hearth inbox
      hearth inbox --kind push --to topic:news --wait 10s --json
      hearth inbox --kind sms --search 'has:code'
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case mail, sms, push
  }

  @OptionGroup var messages: MailSelection

  @Option(help: "Only messages of this kind.")
  var kind: Kind?

  @Option(help: "How many of the newest messages are printed at most.")
  var limit = 100

  @Flag(help: "Print each message as a line of JSON.")
  var json = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if !(1...1000).contains(limit) { throw ValidationError("--limit must be from 1 to 1000") }
    if kind != nil, messages.type != nil {
      throw ValidationError("--kind and --type cannot be combined")
    }
    if kind == .mail, messages.wait != nil {
      throw ValidationError("--kind mail cannot be combined with --wait; hearth mail waits")
    }
  }

  func run() async throws {
    for message in try await found() { print(json ? message.text : line(message)) }
  }

  private func found() async throws -> [JSON] {
    let project = "/emulator/v1/projects/\(server.projectSegment)/"
    // The server knows both kinds by their types; mails are the others.
    let type =
      kind == nil || kind == .mail ? [] : [(name: "type", value: kind == .sms ? "SMS" : "PUSH")]
    if messages.id != nil { return [try await server.ask("GET", path: project + messages.path)] }
    var path = "messages/latest?" + messages.query()
    if messages.wait == nil {
      path = "messages?" + messages.query((name: "limit", value: String(limit)))
    }
    for pair in type { path += "&\(pair.name)=\(pair.value)" }
    let answer = try await server.ask("GET", path: project + path)
    let all = messages.wait == nil ? answer["messages"]?.array ?? [] : [answer]
    return kind == .mail ? all.filter { Self.kind(of: $0) == .mail } : all
  }

  private static func kind(of message: JSON) -> Kind {
    switch message["type"]?.string {
    case "SMS": .sms
    case "PUSH": .push
    default: .mail
    }
  }

  private func line(_ message: JSON) -> String {
    func field(_ name: String) -> String {
      (message[name]?.string ?? "").map { $0.isNewline || $0 == "\t" ? " " : String($0) }.joined()
    }
    return [
      field("id"), field("createdAt"), Self.kind(of: message).rawValue, field("to"),
      field("subject"), field("code"),
    ].joined(separator: "\t")
  }
}
