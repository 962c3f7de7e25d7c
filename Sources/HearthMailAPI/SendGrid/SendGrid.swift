import HearthMime
import HearthWire

/// SendGrid: https://www.twilio.com/docs/sendgrid/api-reference/mail-send
enum SendGrid {
  /// Each personalization is a mail of its own.
  static func send(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply {
    guard let key = call.bearer else {
      throw MailRefusal(401, "", "The provided authorization grant is invalid, expired, or revoked")
    }
    guard let body = try? JSON.parse(call.body), body.object != nil else {
      throw MailRefusal(400, "", "Bad Request")
    }
    let mails = try mails(body, call, key)
    if body["mail_settings"]?["sandbox_mode"]?["enable"]?.bool == true {
      return .text("", "text/plain; charset=utf-8")
    }
    let id = String(context.newId().filter { $0 != "-" }.prefix(22))
    for (index, mail) in mails.enumerated() {
      try await context.deliver(mail, "\(id).\(index)@geopod-ismtpd-0")
    }
    return MailReply(
      status: 202, headers: [("X-Message-Id", id), ("Content-Type", "text/plain; charset=utf-8")],
      body: [])
  }

  private static func refusal(_ field: String, _ message: String) -> MailRefusal {
    MailRefusal(400, "", message, field: field)
  }

  private static func mails(
    _ body: JSON, _ call: MailCall, _ key: String
  ) throws(MailRefusal) -> [ProviderMail] {
    guard let parts = body["personalizations"]?.array, !parts.isEmpty else {
      throw refusal("personalizations", "The personalizations field is required.")
    }
    guard parts.count <= 1_000 else {
      throw refusal("personalizations", "There are more than 1000 personalizations.")
    }
    guard let from = address(body["from"]), from.isComplete else {
      throw refusal("from.email", "The from address is missing or invalid.")
    }
    var base = MimeDraft(from: from)
    base.replyTo = ([body["reply_to"]] + (body["reply_to_list"]?.array ?? [])).compactMap(address)
    for item in body["content"]?.array ?? [] {
      guard let value = item["value"]?.string, !value.isEmpty else {
        throw refusal(
          "content.0.value", "The content value must be a string of at least one character.")
      }
      switch item["type"]?.string {
      case "text/plain": base.text = value
      case "text/html": base.html = value
      default: break
      }
    }
    guard base.text != nil || base.html != nil || body["template_id"]?.string != nil else {
      throw refusal("content", "The content is required unless a template_id is given.")
    }
    for (index, item) in (body["attachments"]?.array ?? []).enumerated() {
      base.attachments.append(try attachment(item, index))
    }
    var mails: [ProviderMail] = []
    for (index, part) in parts.enumerated() {
      mails.append(try mail(base, part, index, body, call, key))
    }
    return mails
  }

  private static func mail(
    _ base: MimeDraft, _ part: JSON, _ index: Int, _ body: JSON, _ call: MailCall, _ key: String
  ) throws(MailRefusal) -> ProviderMail {
    var draft = base
    draft.to = (part["to"]?.array ?? []).compactMap { address($0) }
    draft.cc = (part["cc"]?.array ?? []).compactMap { address($0) }
    let bcc = (part["bcc"]?.array ?? []).compactMap { address($0) }
    let place = "personalizations.\(index)"
    guard !draft.to.isEmpty, (draft.to + draft.cc + bcc).allSatisfy(\.isComplete) else {
      throw refusal("\(place).to", "A personalization needs valid addresses in its to field.")
    }
    if let own = address(part["from"]) { draft.from = own }
    let subject = part["subject"]?.string ?? body["subject"]?.string
    guard subject.isGiven || body["template_id"] != nil else {
      throw refusal("subject", "The subject is required.")
    }
    draft.subject = subject ?? "Template \(body["template_id"]?.string ?? "")"
    if draft.text == nil, draft.html == nil {
      // The template is at SendGrid. What it would be filled with is here.
      draft.text = (part["dynamic_template_data"] ?? part["substitutions"] ?? [:]).text
    }
    for (name, value) in part["substitutions"]?.object?.members ?? [] where !name.isEmpty {
      let value = value.string ?? value.text
      draft.subject = draft.subject.replacing(name, with: value)
      draft.text = draft.text?.replacing(name, with: value)
      draft.html = draft.html?.replacing(name, with: value)
    }
    var headers = body["headers"]?.object ?? JSONObject()
    headers.merge(part["headers"]?.object ?? JSONObject())
    draft.headers = headers.members.map { MimeHeader($0.key, $0.value.string ?? $0.value.text) }
    var mail = ProviderMail(.sendgrid, call, key: key, draft: draft, bcc: bcc)
    mail.tags = body["categories"]?.array?.compactMap(\.string) ?? []
    mail.metadata = body["custom_args"]?.object ?? JSONObject()
    mail.metadata.merge(part["custom_args"]?.object ?? JSONObject())
    mail.metadata["template_id"] = body["template_id"]
    mail.metadata["dynamic_template_data"] = part["dynamic_template_data"]
    return mail
  }

  private static func address(_ json: JSON?) -> MimeAddress? {
    json?["email"]?.string.map { MimeAddress(name: (json?["name"]?.string).nonEmpty, address: $0) }
  }

  private static func attachment(_ json: JSON, _ index: Int) throws(MailRefusal) -> MimeAttachment {
    guard let text = json["content"]?.string, let content = Base64.decode(text) else {
      throw refusal(
        "attachments.\(index).content", "The attachment content must be base64 encoded.")
    }
    let name = json["filename"]?.string ?? "attachment"
    let id = json["content_id"]?.string.map { $0.filter { $0 != "<" && $0 != ">" } }
    return MimeAttachment(
      number: index + 1, fileName: name,
      contentType: (json["type"]?.string).nonEmpty ?? FileType.of(name), contentId: id,
      isInline: json["disposition"]?.string == "inline", content: content)
  }
}
