import HearthPages
import HearthTime
import HearthWire

/// The HTML of the page of one message.
struct MessageView {
  let message: Message
  /// The link of the message at an address that people can open, where it is another one.
  var openLink: String?
  let projectId: String
  let now: Timestamp
  let language: Language
  /// Lets the one script of the page run.
  let nonce: String

  private var words: MailboxWords { language.mailbox }

  var html: String {
    HTML.page(
      title: message.title(words), language: language.tag, isRightToLeft: language.isRightToLeft,
      body: """
        <main>
        \(Self.backLink(projectId, words: words))
        <h1>\(HTML.isolated(message.title(words)))</h1>
        \(headers)
        \(link)
        \(code)
        <h2 id="message">\(words.message)</h2>
        <iframe aria-labelledby="message" title="\(words.message)" sandbox="allow-popups allow-popups-to-escape-sandbox" \
        srcdoc="\(HTML.escape(framedHTML))"></iframe>
        <h2>\(words.plainText)</h2>
        <pre dir="auto">\(HTML.escape(message.text))</pre>
        \(otherForms)
        </main>
        \(script)
        """)
  }

  static func missing(_ name: String, in projectId: String, language: Language) -> String {
    let words = language.mailbox
    return HTML.page(
      title: words.missing, language: language.tag, isRightToLeft: language.isRightToLeft,
      body: """
        <main>
        \(backLink(projectId, words: words))
        <h1>\(words.missing)</h1>
        <p>\(HTML.filled(words.missingIn, values: ["project": projectId, "id": name]))</p>
        </main>
        """)
  }

  private static func backLink(_ projectId: String, words: MailboxWords) -> String {
    """
    <p><a href="\(HTML.escape(MailboxPage.listURL(projectId)))">\
    \(HTML.filled(words.title, values: ["project": projectId]))</a></p>
    """
  }

  private var headers: String {
    let rows: [(name: String, html: String?)] = [
      (words.from, HTML.isolated(message.sender)),
      (words.to, HTML.isolated(message.recipient)),
      (words.type, message.typeMark(words)),
      (words.state, message.marks(at: now, words)),
      (words.tenant, message.tenantId.map(HTML.escape)),
      (words.language, HTML.escape(message.locale)),
      (words.sent, message.createdAt.html),
      (words.expires, message.expiresAt?.html),
      (words.used, message.usedAt?.html),
    ]
    let items = rows.compactMap { row in
      row.html.map { "<dt>\(row.name)</dt><dd>\($0)</dd>" }
    }
    return "<dl>\n" + items.joined(separator: "\n") + "\n</dl>"
  }

  private var link: String {
    guard let link = openLink ?? message.link else { return "" }
    let open = HTML.linkTarget(link).map {
      "<a class=\"button\" href=\"\($0)\">\(words.openLink)</a>"
    }
    return """
      <label for="link">\(words.link)</label>
      <textarea id="link" rows="3" dir="ltr" readonly>\(HTML.escape(link))</textarea>
      \(open ?? "") <button type="button" data-copies="link" data-copied="\(words.copied)" hidden>\
      \(words.copyLink)</button>
      """
  }

  private var code: String {
    guard let code = message.code else { return "" }
    return """
      <label for="code">\(words.code)</label>
      <input id="code" value="\(HTML.escape(code))" readonly>
      <button type="button" data-copies="code" data-copied="\(words.copied)" hidden>\
      \(words.copyCode)</button>
      """
  }

  /// In the frame, links open in a page of their own.
  private var framedHTML: String {
    message.html.replacing("<head>", with: "<head><base target=\"_blank\">", maxReplacements: 1)
  }

  private var otherForms: String {
    let url =
      "/emulator/v1/projects/\(PercentCoding.encodeComponent(projectId))/messages/\(message.id)"
    let forms = [(".html", "HTML"), (".txt", "TXT"), (".eml", "MIME"), ("", "JSON")]
      .map { "<a href=\"\(url)\($0)\">\($1)</a>" }
    return "<p>\(words.otherForms.replacing("{forms}", with: forms.joined(separator: ", ")))</p>"
  }

  private var script: String {
    """
    <script nonce="\(nonce)">
    \(WebFiles.`message.js`)</script>
    """
  }
}
