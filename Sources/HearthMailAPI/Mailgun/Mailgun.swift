import HearthMime
import HearthWire

/// Mailgun: https://documentation.mailgun.com/docs/mailgun/api-reference
enum Mailgun {
  static func send(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let (key, form) = try opened(call)
    let (draft, bcc) = try draft(form)
    guard let variables = try recipientVariables(form) else {
      let mail = mail(form, call: call, key: key, draft: draft, bcc: bcc)
      return try await deliver([mail], form: form, call: call, context: context)
    }
    // Each recipient gets a mail of its own, with its own values.
    let mails = (draft.to + draft.cc + bcc).map { recipient in
      var own = draft
      own.to = [recipient]
      own.cc = []
      let values = variables[recipient.address]?.object ?? JSONObject()
      own.subject = filled(own.subject, values: values)
      own.text = own.text.map { filled($0, values: values) }
      own.html = own.html.map { filled($0, values: values) }
      own.headers = own.headers.map { MimeHeader($0.name, value: filled($0.value, values: values)) }
      return mail(form, call: call, key: key, draft: own, bcc: [])
    }
    return try await deliver(mails, form: form, call: call, context: context)
  }

  /// The mail is in the field `message`, as RFC 5322 text.
  static func sendMime(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let (key, form) = try opened(call)
    let raw = form.files("message").first?.content ?? form["message"].map { Array($0.utf8) }
    guard let raw else { throw invalid("message parameter is missing") }
    let to = try addresses(form, field: "to")
    guard !to.isEmpty else { throw invalid("to parameter is missing") }
    let read = MimeMessage(raw)
    var mail = ProviderMail(
      .mailgun, call: call, key: key, raw: raw, sender: read.from.first?.address ?? "",
      recipients: to.map(\.address))
    note(form, mail: &mail)
    return try await deliver([mail], form: form, call: call, context: context)
  }

  // MARK: Parts

  private static func opened(_ call: MailCall) throws(MailRefusal) -> (String, FormData) {
    guard let key = call.basicPassword else {
      throw MailRefusal(401, code: "", message: "Forbidden")
    }
    return (key, FormData(call))
  }

  private static func invalid(_ message: String) -> MailRefusal {
    MailRefusal(400, code: "", message: message)
  }

  private static func draft(_ form: FormData) throws(MailRefusal) -> (MimeDraft, [MimeAddress]) {
    guard let sender = form["from"] else { throw invalid("from parameter is missing") }
    guard let from = MimeAddress.list(sender).first, from.isComplete else {
      throw invalid(
        "'from' parameter is not a valid address. please check documentation")
    }
    var draft = MimeDraft(from: from)
    draft.to = try addresses(form, field: "to")
    guard !draft.to.isEmpty else { throw invalid("to parameter is missing") }
    draft.cc = try addresses(form, field: "cc")
    draft.subject = form["subject"] ?? ""
    draft.text = form["text"]
    draft.html = form["html"]
    guard
      draft.text != nil || draft.html != nil || form["amp-html"] != nil || form["template"] != nil
    else {
      throw invalid(
        "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified")
    }
    if draft.text == nil, draft.html == nil {
      // The template is at Mailgun. What it would be filled with is here.
      draft.text = form["t:variables"] ?? form["h:X-Mailgun-Variables"] ?? form["amp-html"] ?? "{}"
    }
    for field in form.fields where field.name.lowercased().hasPrefix("h:") {
      let name = String(field.name.dropFirst(2))
      if name.lowercased() == "reply-to" {
        draft.replyTo += MimeAddress.list(field.value)
      } else {
        guard MimeHeader.isName(name) else { throw invalid("'h:' parameter has no header name") }
        draft.headers.append(MimeHeader(name, value: field.value))
      }
    }
    draft.attachments = form.files("attachment")
    for var file in form.files("inline") {
      // HTML names inline files by their names.
      file.contentId = file.fileName
      file.isInline = true
      draft.attachments.append(file)
    }
    return (draft, try addresses(form, field: "bcc"))
  }

  private static func addresses(_ form: FormData, field: String) throws(MailRefusal)
    -> [MimeAddress]
  {
    let addresses = form.all(field).flatMap(MimeAddress.list)
    guard addresses.allSatisfy(\.isComplete) else {
      throw invalid("'\(field)' parameter is not a valid address. please check documentation")
    }
    guard addresses.count <= 1_000 else {
      throw invalid("'\(field)' parameter has more than 1000 addresses")
    }
    return addresses
  }

  private static func recipientVariables(_ form: FormData) throws(MailRefusal) -> JSON? {
    guard let text = form["recipient-variables"] else { return nil }
    guard let json = try? JSON.parse(text), json.object != nil else {
      throw invalid("'recipient-variables' parameter is not valid JSON")
    }
    return json
  }

  /// `%recipient.name%`.
  private static func filled(_ text: String, values: JSONObject) -> String {
    guard text.contains("%recipient.") else { return text }
    return values.members.reduce(text) { text, member in
      text.replacing("%recipient.\(member.key)%", with: member.value.string ?? member.value.text)
    }
  }

  private static func mail(
    _ form: FormData, call: MailCall, key: String, draft: MimeDraft, bcc: [MimeAddress]
  ) -> ProviderMail {
    var mail = ProviderMail(.mailgun, call: call, key: key, draft: draft, bcc: bcc)
    note(form, mail: &mail)
    return mail
  }

  private static func note(_ form: FormData, mail: inout ProviderMail) {
    mail.tags = form.all("o:tag")
    for field in form.fields where field.name.hasPrefix("v:") {
      mail.metadata[String(field.name.dropFirst(2))] = .string(field.value)
    }
    for name in ["template", "o:deliverytime"] {
      if let value = form[name] { mail.metadata[name] = .string(value) }
    }
  }

  private static func deliver(
    _ mails: [ProviderMail], form: FormData, call: MailCall, context: MailAPIContext
  ) async throws -> MailReply {
    let id = "\(context.newId())@\(call.variables["domain"] ?? "mailgun.test")"
    let isTest = ["yes", "true"].contains(form["o:testmode"]?.lowercased() ?? "")
    for mail in isTest ? [] : mails { try await context.deliver(mail, id) }
    return .json(["id": .string("<\(id)>"), "message": "Queued. Thank you."])
  }
}
