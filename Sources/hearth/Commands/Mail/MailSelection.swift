import ArgumentParser
import HearthWire

/// Which mails a command is about: the newest that matches, or the one with an id.
struct MailSelection: ParsableArguments {
  @Option(help: "The mail with this id.")
  var id: String?

  @Option(help: "Only mail to this address.")
  var to: String?

  @Option(help: "Only mail of this type, such as PASSWORD_RESET.")
  var type: String?

  @Option(help: "How long to wait for mail, such as 10s; at most 5 minutes.")
  var wait: String?

  @Option(help: "Only mail received after the mail with this id, or at this time or later.")
  var since: String?

  @Option(
    help: """
      Only mail whose code is pending, used or expired, or any. (default: pending with --wait, \
      else any)
      """)
  var state: String?

  @Flag(help: "Include mail with used or expired codes; the same as --state any.")
  var any = false

  @Option(help: "Only mail that matches a search, such as 'from:shop has:attachment -is:read'.")
  var search: String?

  @Option(help: "Only mail with this tag.")
  var tag: String?

  func validate() throws {
    if any, state != nil { throw ValidationError("--any and --state cannot be combined") }
    if tag?.contains("\"") == true { throw ValidationError("a tag cannot contain quotation marks") }
    if id != nil, !filter.isEmpty { throw ValidationError("--id cannot be combined with a filter") }
  }

  private var filter: [(name: String, value: String)] {
    let search = [search, tag.map { "tag:\"\($0)\"" }].compactMap(\.self).joined(separator: " ")
    let all = [
      ("to", to), ("type", type), ("wait", wait), ("since", since), ("state", any ? "any" : state),
      ("q", search.isEmpty ? nil : search),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  /// As a query string, with what else is asked for.
  func query(_ more: (name: String, value: String)...) -> String {
    var query = FormFields()
    for (name, value) in filter + more {
      query.pairs.append(FormFields.Pair(name: name, value: value))
    }
    return query.text
  }

  /// The path of the mail, below the project's.
  var path: String {
    id.map { "messages/" + PercentCoding.encodeComponent($0) } ?? "messages/latest?" + query()
  }
}
