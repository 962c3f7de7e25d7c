import HearthMime
import HearthWire

/// Amazon SES, API v2: https://docs.aws.amazon.com/ses/latest/APIReference-V2/
enum SES {
  static func send(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    let mail = try mail(try body(call), call, key, context)
    return .json(["MessageId": .string(try await deliver(mail, context))])
  }

  /// Each entry is a mail of its own, with a result of its own.
  static func sendBulk(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    let body = try body(call)
    guard let entries = body["BulkEmailEntries"]?.array, !entries.isEmpty,
      let standard = body["DefaultContent"]?["Template"]?.object
    else { throw invalid("BulkEmailEntries and DefaultContent.Template are required.") }
    var results: [JSON] = []
    for entry in entries {
      do {
        let mail = try bulkMail(entry, standard, body, call, key, context)
        let id = try await deliver(mail, context)
        results.append(["Status": "SUCCESS", "MessageId": .string(id)])
      } catch let refusal as MailRefusal {
        let isMissing = refusal.code == "NotFoundException"
        results.append([
          "Status": isMissing ? "TEMPLATE_NOT_FOUND" : "MESSAGE_REJECTED",
          "Error": .string(refusal.message),
        ])
      }
    }
    return .json(["BulkEmailEntryResults": .array(results)])
  }

  // MARK: Templates

  static func createTemplate(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply
  {
    let body = try named(call)
    guard context.state.template(body.name) == nil else {
      throw MailRefusal(400, "AlreadyExistsException", "Template \(body.name) already exists.")
    }
    context.state.setTemplate(body.name, body.content)
    return .json([:])
  }

  static func updateTemplate(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply
  {
    let body = try named(call)
    _ = try template(body.name, context)
    context.state.setTemplate(body.name, body.content)
    return .json([:])
  }

  static func getTemplate(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply {
    _ = try authorized(call)
    let name = call.variables["name"] ?? ""
    return .json([
      "TemplateName": .string(name), "TemplateContent": .object(try template(name, context)),
    ])
  }

  static func deleteTemplate(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply
  {
    _ = try authorized(call)
    context.state.setTemplate(call.variables["name"] ?? "", nil)
    return .json([:])
  }

  static func listTemplates(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply {
    _ = try authorized(call)
    let names = context.state.templateNames()
    return .json(["TemplatesMetadata": .array(names.map { ["TemplateName": .string($0)] })])
  }

  static func template(_ name: String, _ context: MailAPIContext) throws(MailRefusal) -> JSONObject
  {
    guard let template = context.state.template(name) else {
      throw MailRefusal(404, "NotFoundException", "Template \(name) does not exist.")
    }
    return template
  }

  private static func named(_ call: MailCall) throws(MailRefusal) -> (
    name: String, content: JSONObject
  ) {
    _ = try authorized(call)
    let body = try body(call)
    guard let name = call.variables["name"] ?? body["TemplateName"]?.string, !name.isEmpty,
      let content = body["TemplateContent"]?.object
    else { throw invalid("TemplateName and TemplateContent are required.") }
    guard call.body.count <= 512 << 10 else { throw invalid("A template has at most 512 KB.") }
    return (name, content)
  }

  // MARK: Parts

  /// The signature is not checked: any key is taken.
  static func authorized(_ call: MailCall) throws(MailRefusal) -> String {
    guard let key = call.accessKey else {
      throw MailRefusal(
        403, "MissingAuthenticationTokenException", "The request is not signed.")
    }
    return key
  }

  private static func invalid(_ message: String) -> MailRefusal {
    MailRefusal(400, "BadRequestException", message)
  }

  private static func body(_ call: MailCall) throws(MailRefusal) -> JSON {
    guard let body = try? JSON.parse(call.body), body.object != nil else {
      throw invalid("The body is not a JSON object.")
    }
    return body
  }

  static func deliver(_ mail: ProviderMail, _ context: MailAPIContext) async throws -> String {
    let id = context.newId()
    try await context.deliver(mail, "\(id)@email.amazonses.com")
    return id
  }

  private static func texts(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  private static func envelope(_ json: JSON, _ destination: JSON?) -> SESMail {
    SESMail(
      from: json["FromEmailAddress"]?.string ?? "", to: texts(destination?["ToAddresses"]),
      cc: texts(destination?["CcAddresses"]), bcc: texts(destination?["BccAddresses"]),
      replyTo: texts(json["ReplyToAddresses"]))
  }

  private static func mail(
    _ json: JSON, _ call: MailCall, _ key: String, _ context: MailAPIContext
  ) throws(MailRefusal) -> ProviderMail {
    var mail = envelope(json, json["Destination"])
    mail.tags = json["EmailTags"]?.array ?? []
    let content = json["Content"]
    if let raw = content?["Raw"]?["Data"]?.string {
      guard let bytes = Base64.decode(raw) else { throw invalid("Raw.Data is not base64.") }
      var sent = try SESMail.raw(
        bytes, sender: json["FromEmailAddress"]?.string, recipients: mail.to + mail.cc + mail.bcc,
        call, key)
      SESMail.note(mail.tags, &sent)
      return sent
    }
    if let simple = content?["Simple"] {
      mail.subject = simple["Subject"]?["Data"]?.string ?? ""
      mail.text = simple["Body"]?["Text"]?["Data"]?.string
      mail.html = simple["Body"]?["Html"]?["Data"]?.string
      try add(simple, to: &mail)
    } else if let part = content?["Template"] {
      try fill(&mail, part, data: part["TemplateData"]?.string, context)
      try add(part, to: &mail)
    } else {
      throw invalid("Content needs one of Simple, Raw and Template.")
    }
    return try mail.provided(call, key)
  }

  private static func bulkMail(
    _ entry: JSON, _ standard: JSONObject, _ body: JSON, _ call: MailCall, _ key: String,
    _ context: MailAPIContext
  ) throws(MailRefusal) -> ProviderMail {
    var mail = envelope(body, entry["Destination"])
    mail.tags = (body["DefaultEmailTags"]?.array ?? []) + (entry["ReplacementTags"]?.array ?? [])
    let own = entry["ReplacementEmailContent"]?["ReplacementTemplate"]?["ReplacementTemplateData"]
    let data = own?.string ?? standard["TemplateData"]?.string
    try fill(&mail, .object(standard), data: data, context)
    return try mail.provided(call, key)
  }

  private static func fill(
    _ mail: inout SESMail, _ part: JSON, data: String?, _ context: MailAPIContext
  ) throws(MailRefusal) {
    guard let values = try? JSON.parse(data ?? "{}") else {
      throw invalid("TemplateData is not JSON.")
    }
    if let content = part["TemplateContent"]?.object { return mail.fill(content, values) }
    let arn = part["TemplateArn"]?.string?.split(separator: "/").last.map(String.init)
    mail.fill(try template(part["TemplateName"]?.string ?? arn ?? "", context), values)
  }

  private static func add(_ part: JSON, to mail: inout SESMail) throws(MailRefusal) {
    for header in part["Headers"]?.array ?? [] {
      guard let name = header["Name"]?.string, let value = header["Value"]?.string else { continue }
      mail.headers.append(MimeHeader(name, value))
    }
    for (index, item) in (part["Attachments"]?.array ?? []).enumerated() {
      guard let text = item["RawContent"]?.string, let content = Base64.decode(text) else {
        throw invalid("RawContent is not base64.")
      }
      let name = item["FileName"]?.string ?? "attachment"
      mail.attachments.append(
        MimeAttachment(
          number: index + 1, fileName: name,
          contentType: item["ContentType"]?.string ?? FileType.of(name),
          contentId: item["ContentId"]?.string,
          isInline: item["ContentDisposition"]?.string == "INLINE", content: content))
    }
  }
}
