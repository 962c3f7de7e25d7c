import HearthPages
import HearthTime

/// The HTML of the list of messages.
struct MailboxList {
  let projectId: String
  let messages: [Message]
  let now: Timestamp
  let isRefreshing: Bool

  var html: String {
    HTML.page(
      title: "Mailbox of \(projectId)",
      head: isRefreshing ? "<meta http-equiv=\"refresh\" content=\"3\">\n" : "",
      body: """
        <main>
        <h1>Mailbox of \(HTML.escape(projectId))</h1>
        <form method="get" action="/mailbox">
        <label for="project">Project</label>
        <input id="project" name="project" value="\(HTML.escape(projectId))" required>
        <button>Show</button>
        </form>
        <p class="hint">\(refreshHint)</p>
        \(messages.isEmpty ? Self.empty : table)
        </main>
        """)
  }

  private var refreshHint: String {
    let url = HTML.escape(MailboxPage.listURL(projectId))
    return isRefreshing
      ? "This page reloads every 3 seconds. <a href=\"\(url)&amp;refresh=off\">Stop</a>"
      : "This page does not reload by itself. <a href=\"\(url)\">Reload every 3 seconds</a>"
  }

  private static let empty = """
    <p>No mail yet. Ask for a password reset or an e-mail verification, and it appears here.</p>
    """

  private var table: String {
    """
    <table>
    <caption>\(messages.count == 1 ? "1 message" : "\(messages.count) messages, newest first")\
    </caption>
    <thead><tr><th scope="col">To</th><th scope="col">Subject</th>\
    <th scope="col" class="wide">Type</th><th scope="col">State</th>\
    <th scope="col" class="wide">Time</th></tr></thead>
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
      <td><a href="\(url)">\(HTML.isolated(message.subject))</a></td>\
      <td class="wide">\(HTML.escape(message.type))</td>\
      <td>\(message.state(at: now).tag)</td>\
      <td class="wide">\(message.createdAt.html)</td></tr>
      """
  }
}

extension Message.State {
  /// As a label.
  var tag: String { "<span class=\"tag\" data-state=\"\(rawValue)\">\(rawValue)</span>" }
}
