import HearthMime
import HearthWire

/// Amazon SES, API v1: forms in, XML out. https://docs.aws.amazon.com/ses/latest/APIReference/
enum SESQuery {
  private static let namespace = "http://ses.amazonaws.com/doc/2010-12-01/"

  static func answer(_ call: MailCall, _ context: MailAPIContext) async throws -> MailReply {
    let key = try SES.authorized(call)
    let form = FormData(call)
    let action = form["Action"] ?? ""
    switch action {
    case "SendEmail":
      var mail = envelope(form)
      mail.subject = form["Message.Subject.Data"] ?? ""
      mail.text = form["Message.Body.Text.Data"]
      mail.html = form["Message.Body.Html.Data"]
      guard mail.text != nil || mail.html != nil else {
        throw MailRefusal(400, "ValidationError", "The message has neither text nor HTML.")
      }
      return try await sent(mail.provided(call, key), action, context)
    case "SendRawEmail":
      guard let bytes = Base64.decode((form["RawMessage.Data"] ?? "").filter { !$0.isWhitespace })
      else { throw MailRefusal(400, "ValidationError", "RawMessage.Data is not base64.") }
      var mail = try SESMail.raw(
        bytes, sender: form["Source"], recipients: members(form, "Destinations"), call, key)
      SESMail.note(tags(form), &mail)
      return try await sent(mail, action, context)
    case "SendTemplatedEmail":
      var mail = envelope(form)
      try fill(&mail, form["Template"], form["TemplateData"], context)
      return try await sent(mail.provided(call, key), action, context)
    case "SendBulkTemplatedEmail": return try await bulk(form, call, key, context)
    case "CreateTemplate", "UpdateTemplate":
      guard call.body.count <= 512 << 10 else {
        throw MailRefusal(400, "InvalidTemplate", "A template has at most 512 KB.")
      }
      return setTemplate(form, action, context)
    case "DeleteTemplate":
      context.state.setTemplate(form["TemplateName"] ?? "", nil)
      return xml(action, "")
    case "VerifyEmailIdentity", "VerifyEmailAddress": return xml(action, "")
    case "GetSendQuota":
      return xml(
        action,
        "<Max24HourSend>200000.0</Max24HourSend><MaxSendRate>500.0</MaxSendRate>"
          + "<SentLast24Hours>0.0</SentLast24Hours>")
    default:
      throw MailRefusal(400, "InvalidAction", "The action \(action) is not known.")
    }
  }

  static func reply(_ refusal: MailRefusal) -> MailReply {
    let codes = [
      "BadRequestException": "ValidationError", "NotFoundException": "TemplateDoesNotExist",
      "TooManyRequestsException": "Throttling",
    ]
    let code = codes[refusal.code] ?? refusal.code
    return .text(
      "<ErrorResponse xmlns=\"\(namespace)\"><Error>"
        + "<Type>\(refusal.status < 500 ? "Sender" : "Receiver")</Type><Code>\(escaped(code))</Code>"
        + "<Message>\(escaped(refusal.message))</Message></Error>"
        + "<RequestId>00000000-0000-0000-0000-000000000000</RequestId></ErrorResponse>",
      "text/xml", status: refusal.status == 404 ? 400 : refusal.status)
  }

  // MARK: Parts

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func xml(_ action: String, _ result: String) -> MailReply {
    .text(
      "<\(action)Response xmlns=\"\(namespace)\"><\(action)Result>\(result)</\(action)Result>"
        + "<ResponseMetadata><RequestId>00000000-0000-0000-0000-000000000000</RequestId>"
        + "</ResponseMetadata></\(action)Response>", "text/xml")
  }

  private static func sent(
    _ mail: ProviderMail, _ action: String, _ context: MailAPIContext
  ) async throws -> MailReply {
    xml(action, "<MessageId>\(try await SES.deliver(mail, context))</MessageId>")
  }

  /// `name.member.1`, `name.member.2`, … in their order.
  private static func members(_ form: FormData, _ name: String) -> [String] {
    let prefix = name + ".member."
    return form.fields.filter {
      $0.name.hasPrefix(prefix) && Int($0.name.dropFirst(prefix.count)) != nil
    }
    .sorted {
      Int($0.name.dropFirst(prefix.count)) ?? 0 < Int($1.name.dropFirst(prefix.count)) ?? 0
    }
    .map(\.value)
  }

  private static func tags(_ form: FormData) -> [JSON] {
    form.fields.compactMap { field in
      guard field.name.hasPrefix("Tags.member."), field.name.hasSuffix(".Name") else { return nil }
      let value = form[field.name.dropLast(5) + ".Value"] ?? ""
      return ["Name": .string(field.value), "Value": .string(value)]
    }
  }

  private static func envelope(_ form: FormData, _ destination: String = "Destination") -> SESMail {
    var mail = SESMail(
      from: form["Source"] ?? "", to: members(form, "\(destination).ToAddresses"),
      cc: members(form, "\(destination).CcAddresses"),
      bcc: members(form, "\(destination).BccAddresses"),
      replyTo: members(form, "ReplyToAddresses"))
    mail.tags = tags(form)
    return mail
  }

  private static func fill(
    _ mail: inout SESMail, _ name: String?, _ data: String?, _ context: MailAPIContext
  ) throws(MailRefusal) {
    guard let values = try? JSON.parse(data ?? "{}") else {
      throw MailRefusal(400, "InvalidTemplateData", "TemplateData is not JSON.")
    }
    mail.fill(try SES.template(name ?? "", context), values)
  }

  private static func setTemplate(
    _ form: FormData, _ action: String, _ context: MailAPIContext
  ) -> MailReply {
    context.state.setTemplate(
      form["Template.TemplateName"] ?? "",
      JSONObject([
        "Subject": form["Template.SubjectPart"].json, "Text": form["Template.TextPart"].json,
        "Html": form["Template.HtmlPart"].json,
      ]))
    return xml(action, "")
  }

  private static let mostOfABulk = 50

  private static func bulk(
    _ form: FormData, _ call: MailCall, _ key: String, _ context: MailAPIContext
  ) async throws -> MailReply {
    var results = ""
    _ = try SES.template(form["Template"] ?? "", context)
    for number in 1...mostOfABulk {
      let place = "Destinations.member.\(number)"
      guard form.fields.contains(where: { $0.name.hasPrefix(place + ".") }) else { break }
      var mail = envelope(form, place + ".Destination")
      let data = form["\(place).ReplacementTemplateData"] ?? form["DefaultTemplateData"]
      try fill(&mail, form["Template"], data, context)
      let id = try await SES.deliver(try mail.provided(call, key), context)
      results += "<member><Status>Success</Status><MessageId>\(id)</MessageId></member>"
    }
    return xml("SendBulkTemplatedEmail", "<Status>\(results)</Status>")
  }
}
