package import HearthWire

/// What the port of the send APIs answers: all providers at its root, since their paths differ.
package enum MailAPIRoutes {
  package struct Row: RouteRow {
    package let method: String
    package let template: PathTemplate
    package let provider: MailProvider
    typealias Answer =
      @Sendable (MailCall, MailAPIContext) async throws -> MailReply
    let answer: Answer

    init(
      _ provider: MailProvider, method: String, path: String, answer: @escaping Answer
    ) {
      self.provider = provider
      self.method = method
      template = PathTemplate(path)
      self.answer = answer
    }
  }

  package static let all: [Row] = [
    Row(.resend, method: "POST", path: "/emails", answer: Resend.send),
    Row(.resend, method: "GET", path: "/emails", answer: Resend.list),
    Row(.resend, method: "POST", path: "/emails/batch", answer: Resend.sendBatch),
    Row(.resend, method: "GET", path: "/emails/{id}", answer: Resend.get),
    Row(.resend, method: "PATCH", path: "/emails/{id}", answer: Resend.update),
    Row(.resend, method: "POST", path: "/emails/{id}/cancel", answer: Resend.cancel),
    Row(.sendgrid, method: "POST", path: "/v3/mail/send", answer: SendGrid.send),
    Row(.postmark, method: "POST", path: "/email", answer: Postmark.send),
    Row(.postmark, method: "POST", path: "/email/batch", answer: Postmark.sendBatch),
    Row(.postmark, method: "POST", path: "/email/withTemplate", answer: Postmark.send),
    Row(.postmark, method: "POST", path: "/email/withTemplate/", answer: Postmark.send),
    Row(.postmark, method: "POST", path: "/email/batchWithTemplates", answer: Postmark.sendBatch),
    Row(.postmark, method: "POST", path: "/email/batchWithTemplates/", answer: Postmark.sendBatch),
    Row(.mailgun, method: "POST", path: "/v3/{domain}/messages", answer: Mailgun.send),
    Row(.mailgun, method: "POST", path: "/v3/{domain}/messages.mime", answer: Mailgun.sendMime),
    Row(.ses, method: "POST", path: "/", answer: SESQuery.answer),
    Row(.ses, method: "POST", path: "/v2/email/outbound-emails", answer: SES.send),
    Row(.ses, method: "POST", path: "/v2/email/outbound-bulk-emails", answer: SES.sendBulk),
    Row(.ses, method: "POST", path: "/v2/email/templates", answer: SES.createTemplate),
    Row(.ses, method: "GET", path: "/v2/email/templates", answer: SES.listTemplates),
    Row(.ses, method: "GET", path: "/v2/email/templates/{name}", answer: SES.getTemplate),
    Row(.ses, method: "PUT", path: "/v2/email/templates/{name}", answer: SES.updateTemplate),
    Row(.ses, method: "DELETE", path: "/v2/email/templates/{name}", answer: SES.deleteTemplate),
  ]

  private static let table = RouteTable(all)

  package static func answer(_ call: MailCall, context: MailAPIContext) async -> MailReply {
    guard case .found(let row, let variables) = table.match(method: call.method, path: call.path)
    else {
      return refusal(of: call.path, status: 405, "The method \(call.method) is not allowed here.")
        ?? unknown(call)
    }
    var call = call
    call.variables = variables
    do {
      try await context.admit(row.provider)
      return try await row.answer(call, context)
    } catch let refusal as MailRefusal {
      return row.provider.reply(refusal, isQuery: row.template.description == "/")
    } catch {
      let refusal = MailRefusal(
        500, code: row.provider.code(of: 500), message: "The mail could not be stored: \(error)")
      return row.provider.reply(refusal, isQuery: row.template.description == "/")
    }
  }

  /// A refusal before the request was looked at, in the form of the provider whose path it is; nil for
  /// the path of none.
  package static func refusal(
    of path: Substring, status: Int, _ message: String
  ) -> MailReply? {
    let row: Row
    switch table.match(method: "POST", path: path) {
    case .found(let found, _): row = found
    case .wrongMethod(let allowed):
      guard let method = allowed.first,
        case .found(let found, _) = table.match(method: method, path: path)
      else { return nil }
      row = found
    case .unknown: return nil
    }
    let refusal = MailRefusal(row.provider, status: status, message: message)
    return row.provider.reply(refusal, isQuery: row.template.description == "/")
  }

  private static func unknown(_ call: MailCall) -> MailReply {
    .json(
      [
        "message": .string(
          "\(call.method) \(call.path) is not of a send API that Hearth knows: Resend, SendGrid, "
            + "Postmark, Mailgun, Amazon SES, and gateways for texts.")
      ], status: 404)
  }
}

extension MailProvider {
  /// The provider's code for a refusal of which only the status is known.
  func code(of status: Int) -> String {
    switch self {
    case .resend:
      [
        401: "missing_api_key", 403: "invalid_api_key", 404: "not_found",
        405: "method_not_allowed", 429: "rate_limit_exceeded",
      ][status] ?? (status < 500 ? "validation_error" : "application_error")
    // Its own 405 and 413 are about accounts.
    case .postmark: [401: "10", 405: "300", 413: "300", 422: "300"][status] ?? String(status)
    case .ses:
      [
        403: "AccessDeniedException", 404: "NotFoundException", 405: "MethodNotAllowedException",
        413: "RequestEntityTooLargeException", 429: "TooManyRequestsException",
      ][status] ?? (status < 500 ? "MessageRejected" : "InternalFailure")
    case .sendgrid, .mailgun: ""
    }
  }

  /// A refusal as the provider writes it.
  func reply(_ refusal: MailRefusal, isQuery: Bool) -> MailReply {
    let message = JSON.string(refusal.message)
    switch self {
    case .resend:
      return .json(
        [
          "statusCode": .int(Int64(refusal.status)), "name": .string(refusal.code),
          "message": message,
        ], status: refusal.status)
    case .sendgrid:
      let field = refusal.field.map(JSON.string) ?? .null
      return .json(
        ["errors": [["message": message, "field": field, "help": .null]]], status: refusal.status)
    case .postmark:
      return .json(
        ["ErrorCode": .int(Int64(refusal.code) ?? 0), "Message": message], status: refusal.status)
    case .mailgun:
      if refusal.status == 401 { return .text("Forbidden", type: "text/plain", status: 401) }
      return .json(["message": message], status: refusal.status)
    case .ses:
      if isQuery { return SESQuery.reply(refusal) }
      var reply = MailReply.json(["message": message], status: refusal.status)
      reply.headers.append(("x-amzn-ErrorType", refusal.code))
      return reply
    }
  }
}
