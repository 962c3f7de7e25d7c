import HearthMime
import HearthWire

/// Postmark: https://postmarkapp.com/developer/api/email-api
enum Postmark {
  /// Sends one mail, with or without a template.
  static func send(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    return .json(.object(try await deliver(try body(call), call: call, key: key, context: context)))
  }

  /// The answer has a result for each mail, in their order.
  static func sendBatch(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    let body = try body(call)
    guard let items = body.array ?? body["Messages"]?.array else {
      throw MailRefusal(422, code: "402", message: "The body must be a list of messages.")
    }
    guard items.count <= 500 else {
      throw MailRefusal(422, code: "410", message: "A batch has at most 500 messages.")
    }
    var results: [JSON] = []
    for item in items {
      do {
        results.append(.object(try await deliver(item, call: call, key: key, context: context)))
      } catch let refusal as MailRefusal {
        results.append([
          "ErrorCode": .int(Int64(refusal.code) ?? 300), "Message": .string(refusal.message),
        ])
      }
    }
    return .json(.array(results))
  }

  private static func authorized(_ call: MailCall) throws(MailRefusal) -> String {
    guard let key = call.headers["x-postmark-server-token"]?.nonEmpty else {
      throw MailRefusal(401, code: "10", message: "The header X-Postmark-Server-Token is missing.")
    }
    return key
  }

  private static func body(_ call: MailCall) throws(MailRefusal) -> JSON {
    guard let body = try? JSON.parse(call.body) else {
      throw MailRefusal(422, code: "402", message: "The body is not valid JSON.")
    }
    return body
  }

  /// With this token everything is checked and nothing is sent.
  private static let testToken = "POSTMARK_API_TEST"

  private static func deliver(
    _ json: JSON, call: MailCall, key: String, context: MailAPIContext
  ) async throws -> JSONObject {
    let mail = try mail(json, call: call, key: key)
    let id = context.newId()
    if key != testToken { try await context.deliver(mail, "\(id)@mtasv.net") }
    return JSONObject([
      "To": .string(json["To"]?.string ?? ""), "SubmittedAt": .string(context.time()),
      "MessageID": .string(id), "ErrorCode": 0,
      "Message": .string(key == testToken ? "Test job accepted" : "OK"),
    ])
  }

  private static func invalid(_ message: String) -> MailRefusal {
    MailRefusal(422, code: "300", message: message)
  }

  private static func mail(
    _ json: JSON, call: MailCall, key: String
  ) throws(MailRefusal) -> ProviderMail {
    let fields = try MailFields(json, named: "message") { field, expected in
      MailRefusal(422, code: "403", message: "The field '\(field)' must be \(expected).")
    }
    let sender = try fields.string("From") ?? ""
    guard let from = MimeAddress.list(sender).first, from.isComplete else {
      throw invalid("Invalid 'From' address: '\(sender)'.")
    }
    var draft = MimeDraft(from: from)
    draft.to = try addresses(fields, field: "To")
    draft.cc = try addresses(fields, field: "Cc")
    let bcc = try addresses(fields, field: "Bcc")
    let count = draft.to.count + draft.cc.count + bcc.count
    guard count > 0 else { throw invalid("Zero recipients specified") }
    guard count <= 50 else { throw invalid("A message has at most 50 recipients.") }
    draft.replyTo = MimeAddress.list(try fields.string("ReplyTo") ?? "")
    draft.text = (try fields.string("TextBody")).nonEmpty
    draft.html = (try fields.string("HtmlBody")).nonEmpty
    let template = try template(fields, call: call)
    let model = try fields.object("TemplateModel")
    if let template {
      // The template is at Postmark. What it would be filled with is here.
      draft.text = draft.text ?? JSON.object(model).text
      draft.subject = "Template \(template)"
    }
    guard draft.text != nil || draft.html != nil else {
      throw invalid("Provide either email TextBody or HtmlBody or both.")
    }
    if let subject = try fields.string("Subject") { draft.subject = subject }
    draft.headers = try fields.listedHeaders("Headers")
    for (index, item) in try fields.list("Attachments").enumerated() {
      draft.attachments.append(try attachment(item, number: index + 1))
    }
    var mail = ProviderMail(.postmark, call: call, key: key, draft: draft, bcc: bcc)
    mail.tags = [try fields.string("Tag")].compactMap { $0.nonEmpty }
    mail.metadata = try fields.object("Metadata")
    if let template {
      mail.metadata["template"] = .string(template)
      mail.metadata["TemplateModel"] = json["TemplateModel"]
    }
    return mail
  }

  /// The name or the number of the template, which the paths of templates need.
  private static func template(
    _ fields: MailFields, call: MailCall
  ) throws(MailRefusal) -> String? {
    if let alias = (try fields.string("TemplateAlias")).nonEmpty { return alias }
    if let id = fields.json["TemplateId"]?.integer { return String(id) }
    guard !call.path.contains("Template") else {
      throw invalid("One of 'TemplateId' and 'TemplateAlias' is required.")
    }
    return nil
  }

  private static func addresses(
    _ fields: MailFields, field: String
  ) throws(MailRefusal) -> [MimeAddress] {
    let text = try fields.string(field) ?? ""
    let addresses = MimeAddress.list(text)
    guard addresses.allSatisfy(\.isComplete) else {
      throw invalid("Invalid '\(field)' address: '\(text)'.")
    }
    return addresses
  }

  private static func attachment(
    _ fields: MailFields, number: Int
  ) throws(MailRefusal) -> MimeAttachment {
    guard let text = try fields.string("Content"),
      let content = Base64.decode(text.filter { !$0.isWhitespace })
    else {
      throw MailRefusal(422, code: "402", message: "The content of an attachment is not base64.")
    }
    let name = try fields.string("Name") ?? "attachment"
    let id = (try fields.string("ContentID")).nonEmpty.map {
      $0.hasPrefix("cid:") ? String($0.dropFirst(4)) : $0
    }
    return MimeAttachment(
      number: number, fileName: name,
      contentType: (try fields.string("ContentType")).nonEmpty ?? FileType.of(name), contentId: id,
      isInline: id != nil, content: content)
  }
}
