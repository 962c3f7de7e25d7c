import ArgumentParser
import HearthWire

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `hearth mail`: the newest mail, or just its code or link, for scripts.
struct MailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: "Print the newest mail, or its code or link.",
    discussion: """
      With --wait, only a mail whose code works is taken, so that the mail of an earlier test is \
      not mistaken for the one that is waited for. --any takes mails with other codes too.

      hearth mail --to ann@example.com --wait 10s --code
      hearth mail --search 'from:shop has:attachment' --eml > mail.eml
      hearth mail --search 'tag:checkout' --delete
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

  @Option(
    name: .customLong("search"),
    help: "Only mail that a search finds, such as 'from:shop has:attachment -is:read'.")
  var search: String?

  @Option(help: "Only mail with this tag.")
  var tag: String?

  @Flag(help: "Print the mail as it travels, with all headers and attachments.")
  var eml = false

  @Flag(help: "Delete all mail that matches, and print nothing.")
  var delete = false

  @Flag(help: "Print the code only.")
  var code = false

  @Flag(help: "Print the link only.")
  var link = false

  @OptionGroup var server: ServerAddress

  func validate() throws {
    if any, state != nil { throw ValidationError("--any and --state cannot be combined") }
    if [code, link, eml, delete].count(where: \.self) > 1 {
      throw ValidationError("--code, --link, --eml and --delete are mutually exclusive")
    }
    if delete, wait != nil { throw ValidationError("--delete and --wait cannot be combined") }
    if tag?.contains("\"") == true { throw ValidationError("a tag has no quotation marks") }
  }

  func run() async throws {
    if delete {
      _ = try await server.ask("DELETE", path("messages"))
      return
    }
    if eml {
      let message = try await server.ask("GET", path("messages/latest"))
      let id = message["id"]?.string ?? ""
      Self.emit(try await server.bytes("GET", path("messages/\(id)/raw", isFiltered: false)))
      return
    }
    let message = try await server.ask("GET", path("messages/latest"))
    let words = try text(of: message)
    if let state = message["state"]?.string, state != "pending", code || link {
      let id = message["id"]?.string ?? ""
      StandardError.say("the code of mail \(id) is \(state)")
    }
    print(words)
  }

  /// The search, with the tag in it.
  private var wholeSearch: String? {
    let parts = [search, tag.map { "tag:\"\($0)\"" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// As it is: a mail need not be text in UTF-8.
  private static func emit(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      written += count
    }
  }

  private func path(_ resource: String, isFiltered: Bool = true) -> String {
    guard isFiltered else { return "/emulator/v1/projects/\(server.projectSegment)/\(resource)" }
    var query = FormFields()
    for (name, value) in [
      ("to", to), ("type", type), ("wait", wait), ("since", since), ("state", any ? "any" : state),
      ("q", wholeSearch),
    ] {
      if let value { query.pairs.append(FormFields.Pair(name: name, value: value)) }
    }
    return "/emulator/v1/projects/\(server.projectSegment)/\(resource)?" + query.text
  }

  private func text(of message: JSON) throws -> String {
    func field(_ name: String, called words: String? = nil) throws -> String {
      guard let value = message[name]?.string else {
        throw CommandFailure("the mail has no \(words ?? name)")
      }
      return value
    }
    if code { return try field("code") }
    if link { return try field("link") }
    return try """
    From: \(field("from"))
    To: \(field("to"))
    Subject: \(field("subject"))
    Date: \(field("createdAt"))

    \(field("text"))
    """
  }
}
