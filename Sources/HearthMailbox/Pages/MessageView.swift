import HearthPages
import HearthTime
import HearthWire

/// The HTML of the page of one message.
struct MessageView {
  let message: Message
  let projectId: String
  let now: Timestamp
  /// Lets the one script of the page run.
  let nonce: String

  var html: String {
    HTML.page(
      title: message.subject,
      body: """
        <main>
        \(Self.backLink(projectId))
        <h1>\(HTML.isolated(message.subject))</h1>
        \(headers)
        \(link)
        \(code)
        <h2>Message</h2>
        <iframe title="The message" sandbox="allow-popups allow-popups-to-escape-sandbox" \
        srcdoc="\(HTML.escape(framedHTML))"></iframe>
        <h2>As plain text</h2>
        <pre dir="auto">\(HTML.escape(message.text))</pre>
        \(otherForms)
        </main>
        \(script)
        """)
  }

  static func missing(_ name: String, in projectId: String) -> String {
    HTML.page(
      title: "No such message",
      body: """
        <main>
        \(backLink(projectId))
        <h1>No such message</h1>
        <p>There is no message \(HTML.escape(name)) in project \(HTML.escape(projectId)).</p>
        </main>
        """)
  }

  private static func backLink(_ projectId: String) -> String {
    """
    <p><a href="\(HTML.escape(MailboxPage.listURL(projectId)))">Mailbox of \
    \(HTML.escape(projectId))</a></p>
    """
  }

  private var headers: String {
    let rows: [(name: String, html: String?)] = [
      ("From", HTML.escape(message.sender)),
      ("To", HTML.escape(message.recipient)),
      ("Type", HTML.escape(message.type)),
      ("State", message.state(at: now).tag),
      ("Tenant", message.tenantId.map(HTML.escape)),
      ("Language", HTML.escape(message.locale)),
      ("Sent", message.createdAt.html),
      ("Expires", message.expiresAt?.html),
      ("Used", message.usedAt?.html),
    ]
    let items = rows.compactMap { row in
      row.html.map { "<dt>\(row.name)</dt><dd>\($0)</dd>" }
    }
    return "<dl>\n" + items.joined(separator: "\n") + "\n</dl>"
  }

  private var link: String {
    guard let link = message.link else { return "" }
    let open = HTML.linkTarget(link).map { "<a class=\"button\" href=\"\($0)\">Open the link</a>" }
    return """
      <label for="link">Link</label>
      <textarea id="link" rows="3" dir="ltr" readonly>\(HTML.escape(link))</textarea>
      \(open ?? "") <button type="button" data-copies="link" hidden>Copy the link</button>
      """
  }

  private var code: String {
    guard let code = message.code else { return "" }
    return """
      <label for="code">Code</label>
      <input id="code" value="\(HTML.escape(code))" readonly>
      <button type="button" data-copies="code" hidden>Copy the code</button>
      """
  }

  /// In the frame, links open in a page of their own.
  private var framedHTML: String {
    message.html.replacing("<head>", with: "<head><base target=\"_blank\">", maxReplacements: 1)
  }

  private var otherForms: String {
    let url =
      "/emulator/v1/projects/\(PercentCoding.encodeComponent(projectId))/messages/\(message.id)"
    return """
      <p>Also as <a href="\(url).html">HTML</a>, <a href="\(url).txt">text</a>, \
      <a href="\(url).eml">MIME</a>, <a href="\(url)">JSON</a>.</p>
      """
  }

  private var script: String {
    """
    <script nonce="\(nonce)">
    \(WebFiles.`message.js`)</script>
    """
  }
}
