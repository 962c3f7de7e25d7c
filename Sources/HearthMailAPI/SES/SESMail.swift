import HearthMime
import HearthWire

/// What both APIs of Amazon SES have in common: a mail of parts, its recipients, and templates.
struct SESMail {
  var from: String
  var to: [String]
  var cc: [String]
  var bcc: [String]
  var replyTo: [String]
  var subject = ""
  var text: String?
  var html: String?
  var headers: [MimeHeader] = []
  var attachments: [MimeAttachment] = []
  var tags: [JSON] = []

  static func rejected(_ message: String) -> MailRefusal {
    MailRefusal(400, code: "MessageRejected", message: message)
  }

  /// The mail with addresses that were read.
  func provided(_ call: MailCall, key: String) throws(MailRefusal) -> ProviderMail {
    guard let sender = MimeAddress.list(from).first, sender.isComplete else {
      throw MailRefusal(
        400, code: "BadRequestException", message: "Missing or invalid sender address.")
    }
    var draft = MimeDraft(from: sender)
    draft.to = try Self.addresses(to)
    draft.cc = try Self.addresses(cc)
    let bcc = try Self.addresses(bcc)
    guard !(draft.to + draft.cc + bcc).isEmpty else {
      throw MailRefusal(400, code: "BadRequestException", message: "No recipient is given.")
    }
    draft.replyTo = try Self.addresses(replyTo)
    draft.subject = subject
    draft.text = text
    draft.html = html
    draft.headers = headers
    draft.attachments = attachments
    var mail = ProviderMail(.ses, call: call, key: key, draft: draft, bcc: bcc)
    Self.note(tags, mail: &mail)
    return mail
  }

  static func note(_ tags: [JSON], mail: inout ProviderMail) {
    mail.tags = tags.compactMap { $0["Name"]?.string }
    for tag in tags {
      if let name = tag["Name"]?.string { mail.metadata[name] = tag["Value"] ?? "" }
    }
  }

  private static func addresses(_ texts: [String]) throws(MailRefusal) -> [MimeAddress] {
    let addresses = texts.flatMap(MimeAddress.list)
    guard addresses.allSatisfy(\.isComplete) else {
      throw MailRefusal(400, code: "BadRequestException", message: "An address is not valid.")
    }
    return addresses
  }

  /// Fills `{{name}}` and `{{a.b}}`. Blocks such as `{{#if}}` stay as they are.
  mutating func fill(_ template: JSONObject, data: JSON) {
    subject = Self.filled(template["Subject"]?.string ?? "", data: data)
    text = (template["Text"]?.string).nonEmpty.map { Self.filled($0, data: data) }
    html = (template["Html"]?.string).nonEmpty.map { Self.filled($0, data: data) }
  }

  private static func filled(_ text: String, data: JSON) -> String {
    var output = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      output += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: "}}") else { return output + "{{" + rest }
      let name = rest[..<end.lowerBound].trimmed
      rest = rest[end.upperBound...]
      var value: JSON? = data
      for part in name.split(separator: ".") { value = value?[String(part)] }
      output += value.map { $0.string ?? $0.text } ?? (name.hasPrefix("#") ? "{{\(name)}}" : "")
    }
    return output + rest
  }

  /// Raw mails name their recipients themselves, where the request does not.
  static func raw(
    _ bytes: [UInt8], sender: String?, recipients: [String], call: MailCall, key: String
  ) throws(MailRefusal) -> ProviderMail {
    let read = MimeMessage(bytes)
    let named = recipients.flatMap(MimeAddress.list).map(\.address)
    let all = named.isEmpty ? (read.to + read.cc + read.bcc).map(\.address) : named
    guard !all.isEmpty else { throw rejected("The raw message has no recipient.") }
    let from = sender.flatMap { MimeAddress.list($0).first } ?? read.from.first
    guard let from else { throw rejected("The raw message has no sender.") }
    return ProviderMail(
      .ses, call: call, key: key, raw: bytes, sender: from.address, recipients: all)
  }
}
