import HearthErrors
import HearthPages
import HearthTime
import HearthWire

/// Messages on their way to the mailbox.
extension DialectExchange {
  var message: MessageTemplate? { endpoint.sends.flatMap { definition.messages[$0] } }

  /// Sends the endpoint's message, and gives its number; nil when there is none to send or no
  /// address to send it to.
  func send(
    to account: DialectAccount, _ values: Values, code: String?, expiresAt: Timestamp?
  ) throws(APIError) -> Int64? {
    guard let message, let recipient = message.recipient(account) else { return nil }
    var values = values
    values.merge(call.commonValues(now))
    values.merge(Values(account))
    let link = message.links?.link(for: call.client, values)
    values[.link] = link.json
    let text = message.text.template(in: call.language).text(values)
    return try backEnd.capture(
      DialectMessage(
        channel: message.channel, purpose: message.purpose, recipient: recipient,
        accountID: account.id, dialect: definition.name, sender: definition.title,
        subject: (message.subject?.template(in: call.language).text(values) ?? "").onOneLine,
        text: text, html: message.html(values, text: text, link: link, language: call.language),
        code: code, link: link, language: call.language, createdAt: now, expiresAt: expiresAt))
  }
}

extension MessageTemplate {
  func recipient(_ account: DialectAccount) -> String? {
    switch channel {
    case .mail: account.email
    case .sms: account.phone
    }
  }

  /// The definition's own HTML, or the text's paragraphs with the link made one.
  fileprivate func html(
    _ values: Values, text: String, link: String?, language: String
  ) -> String {
    switch channel {
    case .sms: ""
    case .mail:
      html?.template(in: language).text(values, escape: HTML.escape)
        ?? Self.paragraphs(text, link: link)
    }
  }

  private static func paragraphs(_ text: String, link: String?) -> String {
    var html = HTML.escape(text).replacing("\r\n", with: "\n")
    if let link, let target = HTML.linkTarget(link) {
      html = html.replacing(target, with: "<a href=\"\(target)\">\(target)</a>")
    }
    return html.split(separator: "\n\n").map { paragraph in
      "<p>" + paragraph.replacing("\n", with: "<br>\n") + "</p>"
    }.joined(separator: "\n")
  }
}
