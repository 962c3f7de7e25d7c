import HearthWire

/// What is there where a wait for a mail was in vain: the newest mails, and the requests that may
/// have been to send one and were refused.
struct MailsInstead {
  private static let most = 10
  private static let mostRefusals = 5

  /// Empty where the server does not say.
  let lines: [String]

  init(_ server: ServerAddress) async {
    let project = "/emulator/v1/projects/\(server.projectSegment)"
    guard
      let mails = try? await server.ask("GET", path: "\(project)/messages?limit=\(Self.most)"),
      let calls = try? await server.ask(
        "GET", path: "\(project)/requests?status=failed&limit=\(Self.mostRefusals)")
    else {
      lines = []
      return
    }
    let found = (mails["messages"]?.array ?? []).map(Self.mail)
    let refused = (calls["requests"]?.array ?? []).map(Self.request)
    lines =
      (found.isEmpty ? ["The mailbox is empty."] : ["The newest mails:"] + found)
      + (refused.isEmpty ? [] : ["Requests that were refused:"] + refused)
  }

  private static func mail(_ mail: JSON) -> String {
    let (kind, to) = (mail["type"]?.string ?? "MAIL", mail["to"]?.string ?? "")
    let (state, subject) = (mail["state"]?.string ?? "", mail["subject"]?.string ?? "")
    return line("\(kind) to \(to), \(state): \(subject)")
  }

  private static func request(_ call: JSON) -> String {
    let operation = call["operation"]?.string ?? ""
    let name = operation.split(separator: ".").last.map(String.init) ?? operation
    let status = call["status"]?.integer.map { String($0) } ?? ""
    return line("\(name): \(status) \(call["error"]?.string ?? "")")
  }

  private static func line(_ words: String) -> String {
    "  " + words.map { $0.isNewline ? " " : String($0) }.joined()
  }
}
