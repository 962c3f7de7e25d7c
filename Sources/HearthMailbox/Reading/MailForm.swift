import HearthErrors
import HearthOperations
import HearthPages
import HearthTime
import HearthWire

/// How a message is shown: all of it as JSON, or the mail itself.
enum MailForm: String, CaseIterable {
  case json, html
  case text = "txt"
  case mime = "eml"

  /// Cuts `12.html` into the message's name and the form.
  static func split(_ segment: String) -> (name: String, form: MailForm) {
    for form in allCases where segment.hasSuffix("." + form.rawValue) {
      return (String(segment.dropLast(form.rawValue.count + 1)), form)
    }
    return (segment, .json)
  }

  /// The message at the project's time, which says whether its code has expired.
  func answer(_ message: Message, in project: ProjectTransaction) throws(APIError) -> Answer {
    switch self {
    case .json:
      Answer(message.json(at: Mailbox(in: project).now, openLink: project.openLink(message.link)))
    case .html: Self.file(message.html, contentType: HTML.contentType, more: Self.sandbox)
    case .text: Self.file(message.text, contentType: "text/plain; charset=utf-8")
    case .mime: try Self.mime(message, in: project)
    }
  }

  private static func mime(
    _ message: Message, in project: ProjectTransaction
  ) throws(APIError) -> Answer {
    guard let raw = try Mailbox(in: project).storedMail(message.id)?.unpacked() else {
      return file(message.mime, contentType: "message/rfc822")
    }
    if message.isOfGateway {
      return file(String(decoding: raw, as: UTF8.self), contentType: "text/plain; charset=utf-8")
    }
    return Answer(
      status: 200, body: .bytes(message.traceHeaders + raw, contentType: "message/rfc822"),
      headers: HTML.headers(policy: policy))
  }

  private static func file(
    _ text: String, contentType: String, more policy: String = ""
  ) -> Answer {
    Answer(
      status: 200, body: .text(text, contentType: contentType),
      headers: HTML.headers(policy: self.policy + policy))
  }

  /// A mail that is shown on its own must not load, run or send anything.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"

  /// No `<meta http-equiv="refresh">` leads away. A person can still open links.
  private static let sandbox =
    "; sandbox allow-popups allow-popups-to-escape-sandbox "
    + "allow-top-navigation-by-user-activation"
}
