import HearthPages
import HearthWire

/// The words that a project has chosen for a mail: a template of `notification.sendEmail` in the
/// v2 config. What it leaves out stays as it is.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v2/Config#EmailTemplate
struct CustomTemplate {
  private let subject: String?
  private let body: String?
  private let isHTML: Bool
  private let senderLocalPart: String?
  let senderName: String?
  let replyTo: String?

  /// Nil when nothing was chosen for that type of mail.
  init?(for type: MailType, in config: JSONObject) {
    let member: String
    switch type {
    case .passwordReset: member = "resetPasswordTemplate"
    case .verifyEmail, .verifyAndChangeEmail: member = "verifyEmailTemplate"
    case .recoverEmail: member = "changeEmailTemplate"
    case .emailSignIn: return nil
    }
    guard let template = config["notification"]?["sendEmail"]?[member]?.object else { return nil }
    subject = template["subject"]?.string.nonEmpty
    body = template["body"]?.string.nonEmpty
    isHTML = template["bodyFormat"]?.string == "HTML"
    senderLocalPart = template["senderLocalPart"]?.string.nonEmpty
    senderName = template["senderDisplayName"]?.string.nonEmpty
    replyTo = template["replyTo"]?.string.nonEmpty
  }

  func sender(of project: String) -> String {
    "\(senderLocalPart ?? "noreply")@\(project).firebaseapp.com"
  }

  func subject(_ values: [String: String]) -> String? {
    subject.map { Self.fill($0, values: values) { $0 } }
  }

  /// The mail's two bodies; nil where the template has none.
  func bodies(_ values: [String: String]) -> (text: String, html: String)? {
    guard let body else { return nil }
    if isHTML {
      let html = Self.fill(body, values: values, encode: HTML.escape)
      return (Self.plain(Self.fill(body, values: values) { $0 }), html)
    }
    let text = Self.fill(body, values: values) { $0 }
    let link = values["LINK"] ?? ""
    let target = HTML.linkTarget(link) ?? HTML.escape(link)
    let lines = HTML.escape(text)
      .replacing(HTML.escape(link), with: "<a href=\"\(target)\">\(HTML.escape(link))</a>")
      .replacing("\n", with: "<br>\n")
    return (text, "<!doctype html>\n<meta charset=\"utf-8\">\n<p>\(lines)</p>\n")
  }

  /// Replaces `%LINK%` and its like; in one pass, so that a value is never looked at again.
  private static func fill(
    _ template: String, values: [String: String], encode: (String) -> String
  ) -> String {
    var output = ""
    var rest = template[...]
    while let mark = rest.firstIndex(of: "%") {
      output += rest[..<mark]
      let following = rest[rest.index(after: mark)...]
      if let end = following.firstIndex(of: "%"), let value = values[String(following[..<end])] {
        output += encode(value)
        rest = following[following.index(after: end)...]
      } else {
        output += "%"
        rest = following
      }
    }
    return output + rest
  }

  /// The words of an HTML body, for readers of plain text.
  private static func plain(_ html: String) -> String {
    var output = ""
    var rest = html[...]
    while let start = rest.firstIndex(of: "<") {
      output += rest[..<start]
      if rest[start...].hasPrefix("<!--") {
        rest = Self.after("-->", in: rest[start...])
        continue
      }
      guard let end = rest[start...].firstIndex(of: ">") else { break }
      let tag = rest[rest.index(after: start)..<end].lowercased()
      if tag.hasPrefix("br") || tag.hasPrefix("/p") || tag.hasPrefix("/div") { output += "\n" }
      if tag.hasPrefix("a "), let target = attribute("href", of: tag, tag: rest[start..<end]) {
        output += "\(target) "
      }
      rest = rest[rest.index(after: end)...]
      // What these hold is not for readers.
      let name = tag.prefix { $0.isLetter }
      if ["script", "style", "title"].contains(name) {
        rest = Self.after(">", in: Self.after("</\(name)", in: rest))
      }
    }
    output += rest
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "),
      ("&amp;", "&"),
    ] {
      output = output.replacing(entity, with: character)
    }
    return output
  }

  /// What follows the mark, in upper or lower case; nothing where there is none.
  private static func after(_ mark: String, in text: Substring) -> Substring {
    var rest = text[...]
    while let start = rest.firstIndex(where: { $0.lowercased() == mark.prefix(1) }) {
      let found = rest[start...].prefix(mark.count)
      if found.lowercased() == mark { return rest[found.endIndex...] }
      rest = rest[rest.index(after: start)...]
    }
    return ""
  }

  private static func attribute(
    _ name: String, of lowercased: String, tag: Substring
  ) -> Substring? {
    for quote in ["'", "\""] {
      let parts = tag.split(separator: "\(name)=\(quote)", maxSplits: 1)
      if parts.count == 2 { return parts[1].prefix { String($0) != quote } }
    }
    return nil
  }
}
