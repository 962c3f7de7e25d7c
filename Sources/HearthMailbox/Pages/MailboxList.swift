import HearthPages
import HearthTime

/// The HTML of the list of messages.
struct MailboxList {
  let projectId: String
  let messages: [Message]
  let now: Timestamp
  let isRefreshing: Bool
  let language: Language

  private var words: MailboxWords { language.mailbox }

  var html: String {
    HTML.page(
      title: words.title.replacing("{project}", with: projectId), language: language.tag,
      isRightToLeft: language.isRightToLeft,
      head: isRefreshing ? "<meta http-equiv=\"refresh\" content=\"3\">\n" : "",
      body: """
        <main>
        <h1>\(HTML.filled(words.title, values: ["project": projectId]))</h1>
        <form method="get" action="/mailbox">
        <label for="project">\(words.project)</label>
        <input id="project" name="project" value="\(HTML.escape(projectId))" required>
        <button>\(words.show)</button>
        </form>
        <p class="hint">\(refreshHint)</p>
        \(messages.isEmpty ? "<p>\(words.empty)</p>" : table)
        </main>
        """)
  }

  private var refreshHint: String {
    let url = HTML.escape(MailboxPage.listURL(projectId))
    return isRefreshing
      ? "\(words.reloads) <a href=\"\(url)&amp;refresh=off\">\(words.stop)</a>"
      : "\(words.staysAsItIs) <a href=\"\(url)\">\(words.reload)</a>"
  }

  private var table: String {
    """
    <table>
    <caption>\(HTML.filled(words.count, values: ["count": String(messages.count)]))</caption>
    <thead><tr><th scope="col">\(words.to)</th><th scope="col">\(words.subject)</th>\
    <th scope="col" class="wide">\(words.type)</th><th scope="col">\(words.state)</th>\
    <th scope="col" class="wide">\(words.time)</th></tr></thead>
    <tbody>
    \(messages.map(row).joined(separator: "\n"))
    </tbody>
    </table>
    """
  }

  private func row(_ message: Message) -> String {
    let url = HTML.escape(MailboxPage.messageURL(message, in: projectId))
    return """
      <tr><td>\(HTML.isolated(message.recipient))</td>\
      <td><a href="\(url)">\(HTML.isolated(message.title(words)))</a></td>\
      <td class="wide">\(message.typeMark(words) ?? "")</td>\
      <td>\(message.marks(at: now, words) ?? "")</td>\
      <td class="wide">\(message.createdAt.html)</td></tr>
      """
  }
}

extension Message {
  /// What a link to the message, and its page, are called.
  func title(_ words: MailboxWords) -> String {
    if !subject.isEmpty { return subject }
    let isOfPhone = type == TextMessage.type || type == PushNote.type
    return isOfPhone ? words.name(ofType: type) : words.noSubject
  }

  /// What it is for, with the name of the API on hover; nil for nothing in particular.
  func typeMark(_ words: MailboxWords) -> String? {
    let name = words.name(ofType: type)
    if name.isEmpty { return nil }
    return "<span title=\"\(HTML.escape(type))\">\(HTML.escape(name))</span>"
  }

  /// The state of its code or link, and whether it was sent, as labels; nil for neither.
  func marks(at now: Timestamp, _ words: MailboxWords) -> String? {
    var marks: [String] = []
    if !isSent { marks.append(Self.mark("notSent", words: words.notSent)) }
    let state = state(at: now)
    // Nobody is expected to use a link that was not sent.
    if code != nil || link != nil, isSent || state != .pending {
      marks.append(Self.mark(state.rawValue, words: words.name(of: state)))
    }
    return marks.isEmpty ? nil : marks.joined(separator: " ")
  }

  private static func mark(_ state: String, words: String) -> String {
    "<span class=\"tag\" data-state=\"\(state)\">\(words)</span>"
  }
}
