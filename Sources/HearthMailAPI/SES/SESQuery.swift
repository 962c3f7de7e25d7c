import HearthMime
import HearthWire

/// Amazon SES, API v1: forms in, XML out. https://docs.aws.amazon.com/ses/latest/APIReference/
enum SESQuery {
  private static let namespace = "http://ses.amazonaws.com/doc/2010-12-01/"

  static func answer(_ call: MailCall, context: MailAPIContext) async throws -> MailReply {
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
        throw MailRefusal(
          400, code: "ValidationError", message: "The message has neither text nor HTML.")
      }
      return try await sent(mail.provided(call, key: key), action: action, context: context)
    case "SendRawEmail":
      guard let bytes = Base64.decode((form["RawMessage.Data"] ?? "").filter { !$0.isWhitespace })
      else {
        throw MailRefusal(400, code: "ValidationError", message: "RawMessage.Data is not base64.")
      }
      var mail = try SESMail.raw(
        bytes, sender: form["Source"], recipients: members(form, name: "Destinations"), call: call,
        key: key)
      SESMail.note(tags(form), mail: &mail)
      return try await sent(mail, action: action, context: context)
    case "SendTemplatedEmail":
      var mail = envelope(form)
      try fill(&mail, name: form["Template"], data: form["TemplateData"], context: context)
      return try await sent(mail.provided(call, key: key), action: action, context: context)
    case "SendBulkTemplatedEmail":
      return try await bulk(form, call: call, key: key, context: context)
    case "CreateTemplate", "UpdateTemplate":
      guard call.body.count <= 512 << 10 else {
        throw MailRefusal(400, code: "InvalidTemplate", message: "A template has at most 512 KB.")
      }
      return setTemplate(form, action: action, context: context)
    case "DeleteTemplate":
      context.setTemplate(form["TemplateName"] ?? "", template: nil)
      return xml(action, result: "")
    case "VerifyEmailIdentity", "VerifyEmailAddress": return xml(action, result: "")
    case "GetSendQuota":
      return xml(
        action,
        result: "<Max24HourSend>200000.0</Max24HourSend><MaxSendRate>500.0</MaxSendRate>"
          + "<SentLast24Hours>0.0</SentLast24Hours>")
    default:
      throw MailRefusal(400, code: "InvalidAction", message: "The action \(action) is not known.")
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
      type: "text/xml", status: refusal.status == 404 ? 400 : refusal.status)
  }

  // MARK: Parts

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func xml(_ action: String, result: String) -> MailReply {
    .text(
      "<\(action)Response xmlns=\"\(namespace)\"><\(action)Result>\(result)</\(action)Result>"
        + "<ResponseMetadata><RequestId>00000000-0000-0000-0000-000000000000</RequestId>"
        + "</ResponseMetadata></\(action)Response>", type: "text/xml")
  }

  private static func sent(
    _ mail: ProviderMail, action: String, context: MailAPIContext
  ) async throws -> MailReply {
    xml(action, result: "<MessageId>\(try await SES.deliver(mail, context: context))</MessageId>")
  }

  /// `name.member.1`, `name.member.2`, … in their order.
  private static func members(_ form: FormData, name: String) -> [String] {
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

  private static func envelope(_ form: FormData, destination: String = "Destination") -> SESMail {
    var mail = SESMail(
      from: form["Source"] ?? "", to: members(form, name: "\(destination).ToAddresses"),
      cc: members(form, name: "\(destination).CcAddresses"),
      bcc: members(form, name: "\(destination).BccAddresses"),
      replyTo: members(form, name: "ReplyToAddresses"))
    mail.tags = tags(form)
    return mail
  }

  private static func fill(
    _ mail: inout SESMail, name: String?, data: String?, context: MailAPIContext
  ) throws(MailRefusal) {
    guard let values = try? JSON.parse(data ?? "{}") else {
      throw MailRefusal(400, code: "InvalidTemplateData", message: "TemplateData is not JSON.")
    }
    mail.fill(try SES.template(name ?? "", context: context), data: values)
  }

  private static func setTemplate(
    _ form: FormData, action: String, context: MailAPIContext
  ) -> MailReply {
    context.setTemplate(
      form["Template.TemplateName"] ?? "",
      template: JSONObject([
        "Subject": form["Template.SubjectPart"].json, "Text": form["Template.TextPart"].json,
        "Html": form["Template.HtmlPart"].json,
      ]))
    return xml(action, result: "")
  }

  private static let mostOfABulk = 50

  private static func bulk(
    _ form: FormData, call: MailCall, key: String, context: MailAPIContext
  ) async throws -> MailReply {
    var results = ""
    _ = try SES.template(form["Template"] ?? "", context: context)
    for number in 1...mostOfABulk {
      let place = "Destinations.member.\(number)"
      guard form.fields.contains(where: { $0.name.hasPrefix(place + ".") }) else { break }
      var mail = envelope(form, destination: place + ".Destination")
      let data = form["\(place).ReplacementTemplateData"] ?? form["DefaultTemplateData"]
      try fill(&mail, name: form["Template"], data: data, context: context)
      let id = try await SES.deliver(try mail.provided(call, key: key), context: context)
      results += "<member><Status>Success</Status><MessageId>\(id)</MessageId></member>"
    }
    return xml("SendBulkTemplatedEmail", result: "<Status>\(results)</Status>")
  }
}
