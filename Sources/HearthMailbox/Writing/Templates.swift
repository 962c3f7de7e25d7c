import HearthPages
import HearthTime

extension MailDraft {
  /// The mail in the words of a language.
  ///
  /// Made for every request that mails a code, so it only appends strings: no formatter, no parsing.
  func message(
    app: String, project: String, in language: Language, at time: Timestamp
  ) -> Message {
    let isChangeMade = type == .recoverEmail
    let values = SlotValues(
      app: app, name: displayName.map(Self.fitForALine) ?? "",
      address: isChangeMade ? recipient : email,
      newAddress: newEmail ?? (isChangeMade ? email : recipient))
    let plain = language.isRightToLeft ? values.isolated : values
    let wording = language.mails.wording(of: type)
    let greeting = values.name.isEmpty ? language.mails.greeting : language.mails.namedGreeting
    var subject = ""
    subject.append(wording.subject, values: plain)
    var message = Message(
      type: type.rawValue, recipient: recipient.lowercased(),
      sender: "noreply@\(project).firebaseapp.com", subject: subject, code: code, link: link,
      locale: language.tag, createdAt: time, expiresAt: expiresAt,
      text: text(wording, greeting: greeting, language: language, values: plain),
      html: html(wording, greeting: greeting, language: language, plain: values, subject: subject))
    if app != project { message.senderName = app }
    return message
  }

  /// The link in the mail's words, which people open.
  var shownLink: String { openLink ?? link }

  private func text(
    _ wording: MailWords.Wording, greeting: Phrase, language: Language, values: SlotValues
  ) -> String {
    var output = ""
    output.reserveCapacity(768)
    output.append(greeting, values: values)
    output += "\n\n"
    output.append(wording.message, values: values)
    output += "\n\n"
    output += shownLink
    output += "\n\n"
    output.append(wording.disregard, values: values)
    output += "\n\n"
    output.append(language.mails.signature, values: values)
    output += "\n"
    return output
  }

  private func html(
    _ wording: MailWords.Wording, greeting: Phrase, language: Language, plain: SlotValues,
    subject: String
  ) -> String {
    var values = plain.mapped(HTML.escape)
    let app = values.app
    if language.isRightToLeft {
      values = values.mapped { "<bdi>\($0)</bdi>" }
    } else if !values.name.utf8.allSatisfy({ $0 < 0x80 }) {
      values.name = "<bdi>\(values.name)</bdi>"
    }
    var message = ""
    message.append(wording.message, values: values)
    var output = ""
    output.reserveCapacity(3072)
    output += MailDesign.start
    output += language.tag
    output += language.isRightToLeft ? MailDesign.rightToLeft : MailDesign.leftToRight
    output += HTML.escape(subject)
    output += MailDesign.afterTitle
    output += message
    output += MailDesign.afterPreview
    output += app
    output += MailDesign.afterApp
    output.append(greeting, values: values)
    output += "</p>\n<p>"
    output += message
    output += "</p>\n"
    if let target = HTML.linkTarget(shownLink) {
      output += MailDesign.beforeTarget
      output += target
      output += MailDesign.afterTarget
      output.append(wording.button, values: values)
      output += MailDesign.afterButton
      output.append(language.mails.copyHint, values: values)
      output += MailDesign.beforeCopy
      output += target
      output += MailDesign.insideCopy
      output += target
      output += "</a>"
    } else {
      output += "<p>"
      output += HTML.escape(shownLink)
    }
    output += "</p>\n<p>"
    output.append(wording.disregard, values: values)
    output += MailDesign.beforeSignature
    output.append(language.mails.signature, values: values)
    output += MailDesign.end
    return output
  }

  /// A name that somebody chose for themselves, as part of a line: of a bounded length, and without
  /// what would break the line or turn its direction.
  private static func fitForALine(_ name: String) -> String {
    let isPlain = name.utf8.count <= 100 && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    if isPlain { return name }
    let kept = name.unicodeScalars.lazy.filter { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
    var line = String.UnicodeScalarView()
    line.append(contentsOf: kept)
    return String(String(line).prefix(100))
  }
}
