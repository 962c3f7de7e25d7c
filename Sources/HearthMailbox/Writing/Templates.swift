import HearthPages
import HearthTime

extension MailDraft {
  /// The mail in the words of a language.
  ///
  /// Made for every request that mails a code, so it only appends strings: no formatter, no parsing.
  func message(app: String, in language: Language, at time: Timestamp) -> Message {
    let isChangeMade = type == .recoverEmail
    let values = SlotValues(
      app: app, address: isChangeMade ? recipient : email,
      newAddress: newEmail ?? (isChangeMade ? email : recipient))
    let wording = language.wording(of: type)
    var subject = ""
    subject.append(wording.subject, values)
    return Message(
      type: type.rawValue, recipient: recipient.lowercased(),
      sender: "noreply@\(app).firebaseapp.com", subject: subject, code: code, link: link,
      locale: language.tag, createdAt: time, expiresAt: expiresAt,
      text: Self.text(wording, language, values, link: link),
      html: Self.html(wording, language, values, link: link))
  }

  private static func text(
    _ wording: Language.Wording, _ language: Language, _ values: SlotValues, link: String
  ) -> String {
    var output = ""
    output.reserveCapacity(768)
    output.append(language.greeting, values)
    output += "\n\n"
    output.append(wording.message, values)
    output += "\n\n"
    output += link
    output += "\n\n"
    output.append(wording.disregard, values)
    output += "\n\n"
    output.append(language.signature, values)
    output += "\n"
    return output
  }

  private static func html(
    _ wording: Language.Wording, _ language: Language, _ plain: SlotValues, link: String
  ) -> String {
    let values = SlotValues(
      app: HTML.escape(plain.app), address: HTML.escape(plain.address),
      newAddress: HTML.escape(plain.newAddress))
    var output = ""
    output.reserveCapacity(2048)
    output += "<!doctype html>\n<html lang=\""
    output += language.tag
    output += "\">\n<head>\n<meta charset=\"utf-8\">\n<title>"
    output.append(wording.subject, values)
    output += afterTitle
    output.append(language.greeting, values)
    output += "</p>\n<p>"
    output.append(wording.message, values)
    output += "</p>\n"
    if let target = HTML.linkTarget(link) {
      output += "<p><a class=\"button\" href=\"\(target)\">"
      output.append(wording.button, values)
      output += "</a></p>\n<p>"
      output.append(language.copyHint, values)
      output += "<br>\n<a href=\"\(target)\">\(target)</a></p>\n<p>"
    } else {
      output += "<p>\(HTML.escape(link))</p>\n<p>"
    }
    output.append(wording.disregard, values)
    output += "</p>\n<p>"
    output.append(language.signature, values)
    output += "</p>\n</main>\n</body>\n</html>\n"
    return output
  }

  private static let afterTitle = """
    </title>
    <style>
    \(WebFiles.`mail.css`)</style>
    </head>
    <body>
    <main>
    <p>
    """
}
