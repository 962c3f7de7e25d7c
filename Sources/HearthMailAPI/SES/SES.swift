import HearthMime
import HearthWire

/// Amazon SES, API v2: https://docs.aws.amazon.com/ses/latest/APIReference-V2/
enum SES {
  static func send(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    let mail = try mail(try body(call), call: call, key: key, context: context)
    return .json(["MessageId": .string(try await deliver(mail, context: context))])
  }

  /// Each entry is a mail of its own, with a result of its own.
  static func sendBulk(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let key = try authorized(call)
    let body = try body(call)
    guard let entries = body["BulkEmailEntries"]?.array, !entries.isEmpty,
      let standard = body["DefaultContent"]?["Template"]?.object
    else { throw invalid("BulkEmailEntries and DefaultContent.Template are required.") }
    var results: [JSON] = []
    for entry in entries {
      do {
        let mail = try bulkMail(
          entry, standard: standard, body: body, call: call, key: key, context: context)
        let id = try await deliver(mail, context: context)
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

  static func createTemplate(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let body = try named(call)
    guard context.template(body.name) == nil else {
      throw MailRefusal(
        400, code: "AlreadyExistsException", message: "Template \(body.name) already exists.")
    }
    context.setTemplate(body.name, template: body.content)
    return .json([:])
  }

  static func updateTemplate(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    let body = try named(call)
    _ = try template(body.name, context: context)
    context.setTemplate(body.name, template: body.content)
    return .json([:])
  }

  static func getTemplate(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    _ = try authorized(call)
    let name = call.variables["name"] ?? ""
    return .json([
      "TemplateName": .string(name),
      "TemplateContent": .object(try template(name, context: context)),
    ])
  }

  static func deleteTemplate(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    _ = try authorized(call)
    context.setTemplate(call.variables["name"] ?? "", template: nil)
    return .json([:])
  }

  static func listTemplates(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
    _ = try authorized(call)
    let names = context.templateNames()
    return .json(["TemplatesMetadata": .array(names.map { ["TemplateName": .string($0)] })])
  }

  static func template(_ name: String, context: MailAPIContext) throws(MailRefusal) -> JSONObject {
    guard let template = context.template(name) else {
      throw MailRefusal(404, code: "NotFoundException", message: "Template \(name) does not exist.")
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
        403, code: "MissingAuthenticationTokenException", message: "The request is not signed.")
    }
    return key
  }

  private static func invalid(_ message: String) -> MailRefusal {
    MailRefusal(400, code: "BadRequestException", message: message)
  }

  private static func body(_ call: MailCall) throws(MailRefusal) -> JSON {
    guard let body = try? JSON.parse(call.body), body.object != nil else {
      throw invalid("The body is not a JSON object.")
    }
    return body
  }

  static func deliver(_ mail: ProviderMail, context: MailAPIContext) async throws -> String {
    let id = context.newId()
    try await context.deliver(mail, "\(id)@email.amazonses.com")
    return id
  }

  private static func texts(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  private static func envelope(_ json: JSON, destination: JSON?) -> SESMail {
    SESMail(
      from: json["FromEmailAddress"]?.string ?? "", to: texts(destination?["ToAddresses"]),
      cc: texts(destination?["CcAddresses"]), bcc: texts(destination?["BccAddresses"]),
      replyTo: texts(json["ReplyToAddresses"]))
  }

  private static func mail(
    _ json: JSON, call: MailCall, key: String, context: MailAPIContext
  ) throws(MailRefusal) -> ProviderMail {
    var mail = envelope(json, destination: json["Destination"])
    mail.tags = json["EmailTags"]?.array ?? []
    let fields = try Self.fields(json, name: "request")
    guard let content = try fields.fields("Content"),
      ["Simple", "Raw", "Template"].filter(content.has).count == 1
    else { throw invalid("Content needs one of Simple, Raw and Template.") }
    if let raw = try content.fields("Raw") {
      guard let bytes = try Base64.decode(raw.string("Data") ?? ""), !bytes.isEmpty else {
        throw invalid("Raw.Data is not base64.")
      }
      var sent = try SESMail.raw(
        bytes, sender: json["FromEmailAddress"]?.string, recipients: mail.to + mail.cc + mail.bcc,
        call: call, key: key)
      SESMail.note(mail.tags, mail: &sent)
      return sent
    }
    if let simple = try content.fields("Simple") {
      try fill(&mail, simple: simple)
      try add(simple, to: &mail)
    } else if let part = try content.fields("Template") {
      try fill(&mail, part: part.json, data: part.string("TemplateData"), context: context)
      try add(part, to: &mail)
    }
    return try mail.provided(call, key: key)
  }

  private static func fields(_ json: JSON, name: String) throws(MailRefusal) -> MailFields {
    try MailFields(json, named: name) { invalid("\($0) must be \($1).") }
  }

  private static func fill(_ mail: inout SESMail, simple: MailFields) throws(MailRefusal) {
    guard let subject = try simple.fields("Subject")?.string("Data") else {
      throw invalid("Simple.Subject.Data is required.")
    }
    let body = try simple.fields("Body")
    mail.subject = subject
    mail.text = try body?.fields("Text")?.string("Data")
    mail.html = try body?.fields("Html")?.string("Data")
    guard mail.text != nil || mail.html != nil else {
      throw invalid("Simple.Body needs one of Text and Html.")
    }
  }

  private static func bulkMail(
    _ entry: JSON, standard: JSONObject, body: JSON, call: MailCall, key: String,
    context: MailAPIContext
  ) throws(MailRefusal) -> ProviderMail {
    var mail = envelope(body, destination: entry["Destination"])
    mail.tags = (body["DefaultEmailTags"]?.array ?? []) + (entry["ReplacementTags"]?.array ?? [])
    let own = entry["ReplacementEmailContent"]?["ReplacementTemplate"]?["ReplacementTemplateData"]
    let data = own?.string ?? standard["TemplateData"]?.string
    try fill(&mail, part: .object(standard), data: data, context: context)
    return try mail.provided(call, key: key)
  }

  private static func fill(
    _ mail: inout SESMail, part: JSON, data: String?, context: MailAPIContext
  ) throws(MailRefusal) {
    guard let values = try? JSON.parse(data ?? "{}") else {
      throw invalid("TemplateData is not JSON.")
    }
    if let content = part["TemplateContent"]?.object { return mail.fill(content, data: values) }
    let arn = part["TemplateArn"]?.string?.split(separator: "/").last.map(String.init)
    mail.fill(
      try template(part["TemplateName"]?.string ?? arn ?? "", context: context), data: values)
  }

  private static func add(_ part: MailFields, to mail: inout SESMail) throws(MailRefusal) {
    mail.headers = try part.listedHeaders("Headers")
    for (index, item) in try part.list("Attachments").enumerated() {
      guard let text = try item.string("RawContent"), let content = Base64.decode(text) else {
        throw invalid("RawContent is not base64.")
      }
      let name = try item.string("FileName") ?? "attachment"
      mail.attachments.append(
        MimeAttachment(
          number: index + 1, fileName: name,
          contentType: try item.string("ContentType") ?? FileType.of(name),
          contentId: try item.string("ContentId"),
          isInline: try item.string("ContentDisposition") == "INLINE", content: content))
    }
  }
}
