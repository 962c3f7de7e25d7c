import HearthMime
import HearthWire

/// SendGrid: https://www.twilio.com/docs/sendgrid/api-reference/mail-send
enum SendGrid {
  /// Each personalization is a mail of its own.
  static func send(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    guard let key = call.bearer else {
      throw MailRefusal(
        401, code: "", message: "The provided authorization grant is invalid, expired, or revoked")
    }
    guard let body = try? JSON.parse(call.body), body.object != nil else {
      throw MailRefusal(400, code: "", message: "Bad Request")
    }
    let mails = try mails(body, call: call, key: key)
    if body["mail_settings"]?["sandbox_mode"]?["enable"]?.bool == true {
      return .text("", type: "text/plain; charset=utf-8")
    }
    let id = String(context.newId().filter { $0 != "-" }.prefix(22))
    for (index, mail) in mails.enumerated() {
      try await context.deliver(mail, "\(id).\(index)@geopod-ismtpd-0")
    }
    return MailReply(
      status: 202, headers: [("X-Message-Id", id), ("Content-Type", "text/plain; charset=utf-8")],
      body: [])
  }

  private static func refusal(_ field: String, message: String) -> MailRefusal {
    MailRefusal(400, code: "", message: message, field: field)
  }

  private static func mails(
    _ body: JSON, call: MailCall, key: String
  ) throws(MailRefusal) -> [ProviderMail] {
    let fields = try MailFields(body, named: "body") {
      refusal($0, message: "The \($0) must be \($1).")
    }
    let parts = try fields.list("personalizations")
    guard !parts.isEmpty else {
      throw refusal("personalizations", message: "The personalizations field is required.")
    }
    guard parts.count <= 1_000 else {
      throw refusal("personalizations", message: "There are more than 1000 personalizations.")
    }
    guard let from = try address(fields.fields("from")), from.isComplete else {
      throw refusal("from.email", message: "The from address is missing or invalid.")
    }
    var base = MimeDraft(from: from)
    base.replyTo = try addresses([fields.fields("reply_to")] + fields.list("reply_to_list"))
    try fill(&base, fields: fields)
    for (index, item) in try fields.list("attachments").enumerated() {
      base.attachments.append(try attachment(item, index: index))
    }
    var mails: [ProviderMail] = []
    for (index, part) in parts.enumerated() {
      mails.append(try mail(base, part: part, index: index, body: fields, call: call, key: key))
    }
    return mails
  }

  private static func fill(_ draft: inout MimeDraft, fields: MailFields) throws(MailRefusal) {
    for item in try fields.list("content") {
      guard let value = item.json["value"]?.string, !value.isEmpty else {
        throw refusal(
          "content.0.value",
          message: "The content value must be a string of at least one character.")
      }
      switch try item.string("type") {
      case "text/plain": draft.text = value
      case "text/html": draft.html = value
      default: break
      }
    }
    let template = try fields.string("template_id")
    guard draft.text != nil || draft.html != nil || template != nil else {
      throw refusal("content", message: "The content is required unless a template_id is given.")
    }
  }

  private static func mail(
    _ base: MimeDraft, part: MailFields, index: Int, body: MailFields, call: MailCall,
    key: String
  ) throws(MailRefusal) -> ProviderMail {
    var draft = base
    draft.to = try addresses(part.list("to"))
    draft.cc = try addresses(part.list("cc"))
    let bcc = try addresses(part.list("bcc"))
    let place = "personalizations.\(index)"
    guard !draft.to.isEmpty, (draft.to + draft.cc + bcc).allSatisfy(\.isComplete) else {
      throw refusal(
        "\(place).to", message: "A personalization needs valid addresses in its to field.")
    }
    if let own = try address(part.fields("from")) { draft.from = own }
    let template = try body.string("template_id")
    let subject = try (part.has("subject") ? part : body).string("subject")
    guard subject.isGiven || template != nil else {
      throw refusal("subject", message: "The subject is required.")
    }
    draft.subject = subject ?? "Template \(template ?? "")"
    let substitutions = try part.object("substitutions")
    if draft.text == nil, draft.html == nil {
      // The template is at SendGrid. What it would be filled with is here.
      draft.text = (part.json["dynamic_template_data"] ?? .object(substitutions)).text
    }
    for (name, value) in substitutions.members where !name.isEmpty {
      let value = value.string ?? value.text
      draft.subject = draft.subject.replacing(name, with: value)
      draft.text = draft.text?.replacing(name, with: value)
      draft.html = draft.html?.replacing(name, with: value)
    }
    let own = try part.headers("headers")
    draft.headers = try body.headers("headers").filter { header in
      !own.contains { $0.name == header.name }
    }
    draft.headers += own
    var mail = ProviderMail(.sendgrid, call: call, key: key, draft: draft, bcc: bcc)
    mail.tags = try body.strings("categories")
    mail.metadata = try body.object("custom_args")
    mail.metadata.merge(try part.object("custom_args"))
    mail.metadata["template_id"] = template.json
    mail.metadata["dynamic_template_data"] = part.json["dynamic_template_data"]
    return mail
  }

  private static func addresses(_ items: [MailFields?]) throws(MailRefusal) -> [MimeAddress] {
    var addresses: [MimeAddress] = []
    for item in items {
      if let address = try address(item) { addresses.append(address) }
    }
    return addresses
  }

  private static func address(_ fields: MailFields?) throws(MailRefusal) -> MimeAddress? {
    guard let fields, let email = try fields.string("email") else { return nil }
    return MimeAddress(name: (try fields.string("name")).nonEmpty, address: email)
  }

  private static func attachment(
    _ fields: MailFields, index: Int
  ) throws(MailRefusal) -> MimeAttachment {
    guard let text = try fields.string("content"), let content = Base64.decode(text) else {
      throw refusal(
        "attachments.\(index).content", message: "The attachment content must be base64 encoded.")
    }
    let name = try fields.string("filename") ?? "attachment"
    let id = try fields.string("content_id").map { $0.filter { $0 != "<" && $0 != ">" } }
    return MimeAttachment(
      number: index + 1, fileName: name,
      contentType: (try fields.string("type")).nonEmpty ?? FileType.of(name), contentId: id,
      isInline: try fields.string("disposition") == "inline", content: content)
  }
}
