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
    commandName: "mail", abstract: "Print the newest mail, or its code or link; list, tag, delete.",
    discussion: """
      With --wait, only a mail whose code still works matches, so that the mail of an earlier \
      test is not mistaken for the new one. --any matches mails with other codes too.

      hearth mail --to ann@example.com --wait 10s --code
      hearth mail --list --search 'is:unread has:code'
      hearth mail --search 'from:shop has:attachment' --eml > mail.eml
      hearth mail --search 'tag:checkout' --delete
      hearth mail --id 7 --mark-read --add-tag checkout
      hearth mail --id 7 --release-to me@example.com
      """)

  @OptionGroup var mails: MailSelection

  @Flag(help: "Print the code only.")
  var code = false

  @Flag(help: "Print the link only.")
  var link = false

  @Flag(help: "Print the raw message, with all headers and attachments.")
  var eml = false

  @Flag(help: "Print a line for each matching mail: id, time, state, recipient, subject.")
  var list = false

  @Option(help: "How many of the newest mails --list prints at most.")
  var limit = 100

  @Flag(help: "Delete all matching mail, or the mail of --id, and print nothing.")
  var delete = false

  @Flag(help: "Mark the mail as read.")
  var markRead = false

  @Flag(help: "Mark the mail as not read.")
  var markUnread = false

  @Option(help: "Add a tag to the mail; may be repeated.")
  var addTag: [String] = []

  @Option(help: "Remove a tag from the mail; may be repeated.")
  var removeTag: [String] = []

  @Flag(help: "Send the mail on to its recipient through the server's --smtp-relay.")
  var release = false

  @Option(help: "Send the mail on to this address; may be repeated.")
  var releaseTo: [String] = []

  @OptionGroup var server: ServerAddress

  private var isChange: Bool { markRead || markUnread || !addTag.isEmpty || !removeTag.isEmpty }
  private var isRelease: Bool { release || !releaseTo.isEmpty }

  func validate() throws {
    if [code, link, eml, list, delete, isChange, isRelease].count(where: \.self) > 1 {
      throw ValidationError(
        "--code, --link, --eml, --list, --delete, marks and tags, and --release are mutually "
          + "exclusive")
    }
    if markRead, markUnread {
      throw ValidationError("--mark-read and --mark-unread cannot be combined")
    }
    if delete || list, mails.wait != nil {
      throw ValidationError("--wait cannot be combined with --delete or --list")
    }
    if list, mails.id != nil { throw ValidationError("--list and --id cannot be combined") }
    if !(1...1000).contains(limit) { throw ValidationError("--limit must be from 1 to 1000") }
  }

  func run() async throws {
    if delete {
      let all = "messages?" + mails.query()
      _ = try await server.ask("DELETE", path: path(mails.id == nil ? all : mails.path))
    } else if list {
      try await printList()
    } else {
      try await use(try await message())
    }
  }

  /// The mail that the flags choose.
  ///
  /// - Throws: where a wait was in vain, with what is there instead.
  private func message() async throws -> JSON {
    do {
      return try await server.ask("GET", path: path(mails.path))
    } catch let failure as CommandFailure where mails.wait != nil {
      let words = failure.description.replacing(
        "(state=any hands it out)", with: "(--any prints it)")
      guard words.hasPrefix("no ") else { throw CommandFailure(words) }
      let instead = await MailsInstead(server).lines
      throw CommandFailure(([words] + instead).joined(separator: "\n"))
    }
  }

  private func use(_ message: JSON) async throws {
    let own = "messages/" + (message["id"]?.string ?? "")
    if eml {
      Self.emit(try await server.bytes("GET", path: path(own + "/raw")))
    } else if isChange {
      _ = try await server.ask("PATCH", path: path(own), body: change(of: message))
    } else if isRelease {
      let body: JSON = releaseTo.isEmpty ? [:] : ["to": .strings(releaseTo)]
      try Self.report(try await server.ask("POST", path: path(own + ":release"), body: body))
    } else {
      let words = try text(of: message)
      if let state = message["state"]?.string, state != "pending", code || link {
        StandardError.say("the code of mail \(message["id"]?.string ?? "") is \(state)")
      }
      print(words)
    }
  }

  private func printList() async throws {
    let query = mails.query((name: "limit", value: String(limit)))
    let answer = try await server.ask("GET", path: path("messages?" + query))
    let messages = answer["messages"]?.array ?? []
    for message in messages {
      let fields = ["id", "createdAt", "state", "to", "subject"].map { name in
        (message[name]?.string ?? "").map { $0.isNewline || $0 == "\t" ? " " : String($0) }.joined()
      }
      print(fields.joined(separator: "\t"))
    }
    if let total = answer["total"]?.integer, total > messages.count {
      StandardError.say("the newest \(messages.count) of \(total) mails (--limit prints more)")
    }
  }

  private func change(of message: JSON) -> JSON {
    var body = JSONObject()
    if markRead || markUnread { body["read"] = .bool(markRead) }
    if !addTag.isEmpty || !removeTag.isEmpty {
      let tags = (message["tags"]?.array ?? []).compactMap(\.string) + addTag
      body["tags"] = .strings(tags.filter { !removeTag.contains($0) })
    }
    return .object(body)
  }

  /// Prints who gets the mail.
  private static func report(_ answer: JSON) throws {
    for address in answer["accepted"]?.array ?? [] { print(address.string ?? "") }
    let rejected = answer["rejected"]?.array ?? []
    guard rejected.isEmpty else {
      let words = rejected.map { "\($0["to"]?.string ?? ""): \($0["reply"]?.string ?? "")" }
      throw CommandFailure("the relay refused \(words.joined(separator: "; "))")
    }
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

  /// Below the project's path.
  private func path(_ rest: String) -> String {
    "/emulator/v1/projects/\(server.projectSegment)/\(rest)"
  }

  private func text(of message: JSON) throws -> String {
    func field(_ name: String) throws -> String {
      guard let value = message[name]?.string else {
        throw CommandFailure("the mail has no \(name)")
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
