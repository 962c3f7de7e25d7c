import HearthMime
import HearthWire

/// Postmark: https://postmarkapp.com/developer/api/email-api
enum Postmark {
  /// Sends one mail, with or without a template.
  static func send(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    return .json(.object(try await deliver(try body(call), call, key, context)))
  }

  /// The answer has a result for each mail, in their order.
  static func sendBatch(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    let body = try body(call)
    guard let items = body.array ?? body["Messages"]?.array else {
      throw MailRefusal(422, "402", "The body must be a list of messages.")
    }
    guard items.count <= 500 else {
      throw MailRefusal(422, "410", "A batch has at most 500 messages.")
    }
    var results: [JSON] = []
    for item in items {
      do {
        results.append(.object(try await deliver(item, call, key, context)))
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
      throw MailRefusal(401, "10", "The header X-Postmark-Server-Token is missing.")
    }
    return key
  }

  private static func body(_ call: MailCall) throws(MailRefusal) -> JSON {
    guard let body = try? JSON.parse(call.body) else {
      throw MailRefusal(422, "402", "The body is not valid JSON.")
    }
    return body
  }

  /// With this token everything is checked and nothing is sent.
  private static let testToken = "POSTMARK_API_TEST"

  private static func deliver(
    _ json: JSON, _ call: MailCall, _ key: String, _ context: MailAPIContext
  ) async throws -> JSONObject {
    let mail = try mail(json, call, key)
    let id = context.newId()
    if key != testToken { try await context.deliver(mail, "\(id)@mtasv.net") }
    return JSONObject([
      "To": .string(json["To"]?.string ?? ""), "SubmittedAt": .string(context.time()),
      "MessageID": .string(id), "ErrorCode": 0,
      "Message": .string(key == testToken ? "Test job accepted" : "OK"),
    ])
  }

  private static func invalid(_ message: String) -> MailRefusal { MailRefusal(422, "300", message) }

  private static func mail(
    _ json: JSON, _ call: MailCall, _ key: String
  ) throws(MailRefusal) -> ProviderMail {
    guard let from = MimeAddress.list(json["From"]?.string ?? "").first, from.isComplete else {
      throw invalid("Invalid 'From' address: '\(json["From"]?.string ?? "")'.")
    }
    var draft = MimeDraft(from: from)
    draft.to = try addresses(json, "To")
    draft.cc = try addresses(json, "Cc")
    let bcc = try addresses(json, "Bcc")
    let count = draft.to.count + draft.cc.count + bcc.count
    guard count > 0 else { throw invalid("Zero recipients specified") }
    guard count <= 50 else { throw invalid("A message has at most 50 recipients.") }
    draft.replyTo = MimeAddress.list(json["ReplyTo"]?.string ?? "")
    draft.text = (json["TextBody"]?.string).nonEmpty
    draft.html = (json["HtmlBody"]?.string).nonEmpty
    let template = json["TemplateAlias"]?.string ?? json["TemplateId"]?.integer.map { String($0) }
    if let template {
      // The template is at Postmark. What it would be filled with is here.
      draft.text = draft.text ?? (json["TemplateModel"] ?? [:]).text
      draft.subject = "Template \(template)"
    }
    guard draft.text != nil || draft.html != nil else {
      throw invalid("Provide either email TextBody or HtmlBody or both.")
    }
    if let subject = json["Subject"]?.string { draft.subject = subject }
    for header in json["Headers"]?.array ?? [] {
      guard let name = header["Name"]?.string, let value = header["Value"]?.string else { continue }
      draft.headers.append(MimeHeader(name, value))
    }
    for (index, item) in (json["Attachments"]?.array ?? []).enumerated() {
      draft.attachments.append(try attachment(item, index + 1))
    }
    var mail = ProviderMail(.postmark, call, key: key, draft: draft, bcc: bcc)
    mail.tags = [json["Tag"]?.string].compactMap { $0.nonEmpty }
    mail.metadata = json["Metadata"]?.object ?? JSONObject()
    if let template {
      mail.metadata["template"] = .string(template)
      mail.metadata["TemplateModel"] = json["TemplateModel"]
    }
    return mail
  }

  private static func addresses(_ json: JSON, _ field: String) throws(MailRefusal) -> [MimeAddress]
  {
    let addresses = MimeAddress.list(json[field]?.string ?? "")
    guard addresses.allSatisfy(\.isComplete) else {
      throw invalid("Invalid '\(field)' address: '\(json[field]?.string ?? "")'.")
    }
    return addresses
  }

  private static func attachment(_ json: JSON, _ number: Int) throws(MailRefusal) -> MimeAttachment
  {
    guard let text = json["Content"]?.string,
      let content = Base64.decode(text.filter { !$0.isWhitespace })
    else {
      throw MailRefusal(422, "402", "The content of an attachment is not base64.")
    }
    let name = json["Name"]?.string ?? "attachment"
    let id = (json["ContentID"]?.string).nonEmpty.map {
      $0.hasPrefix("cid:") ? String($0.dropFirst(4)) : $0
    }
    return MimeAttachment(
      number: number, fileName: name,
      contentType: (json["ContentType"]?.string).nonEmpty ?? FileType.of(name), contentId: id,
      isInline: id != nil, content: content)
  }
}
