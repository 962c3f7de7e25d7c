import HearthErrors
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTransport
import HearthWire
import Logging

/// The mail that a template makes, which need not be saved. The mail is written as any other, in a
/// transaction that is undone.
enum PreviewTemplate: ServerOperation {
  struct Parts: ServerParts {
    let store: Store
    let server: ServerFacts
    let hosts: Hosts

    static func parts(of server: ServerContext) -> Parts {
      Parts(store: server.store, server: server.server, hosts: server.network.hosts)
    }
  }

  struct Request: ServerOperationRequest {
    let type: MailType
    let locale: String?
    /// Nil for the one that is saved.
    let template: JSONObject?
    let caller: ServerRequest

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("type", "locale", "template")
      guard let type = request.wire.string("type").flatMap(MailType.init) else {
        let known = MailType.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError(.invalidArgument, detail: "/type must be one of \(known)")
      }
      self.type = type
      locale = request.wire.string("locale")
      guard locale != nil || !request.wire.has("locale") else {
        throw APIError(.invalidArgument, detail: "/locale must be a string")
      }
      template = try Self.template(request.wire)
      caller = request
    }

    private static func template(_ wire: WireRequest) throws(APIError) -> JSONObject? {
      guard wire.has("template") else { return nil }
      guard let template = wire.object("template") else {
        throw APIError(.invalidArgument, detail: "/template must be an object")
      }
      for (name, value) in template.members where value.string == nil && name != "customized" {
        throw APIError(.invalidArgument, detail: "/template/\(name) must be a string")
      }
      return template
    }
  }

  static func run(
    _ request: Request, with parts: Parts
  ) async throws -> OutgoingReply {
    let type = request.type
    let mail = request.caller.operationContext(
      at: parts.hosts, parts.server, locale: request.locale)
    var message: Message?
    do throws(APIError) {
      try parts.store.transaction { transaction throws(APIError) in
        let project = ProjectTransaction(
          transaction, projectId: request.caller.project, tenantId: nil, server: parts.server)
        if let template = request.template { try project.replaceTemplate(of: type, with: template) }
        try Mailbox(in: project).capture(
          draft(type, context: mail), context: mail)
        message = try Mailbox(in: project).messages(limit: 1).last
        // So that nothing of it stays.
        throw APIError(.aborted)
      }
    } catch {
      guard error.code == .aborted else { throw error }
    }
    guard let message else { throw APIError(.internalError, detail: "the mail was not written") }
    return ReplyWriter.json(
      .members([
        "subject": .string(message.subject), "html": .string(message.html),
        "text": .string(message.text), "from": .string(message.sender),
        "fromName": message.senderName.json, "replyTo": message.replyTo.json,
        "locale": .string(message.locale),
      ]))
  }

  private static func draft(_ type: MailType, context: Context) -> MailDraft {
    let code = "sample-code"
    return MailDraft(
      type: type, recipient: "ann@example.com", email: "ann@example.com",
      newEmail: "ann@example.org", displayName: "Ann", code: code,
      link: "\(context.baseURL)/emulator/action?mode=preview&oobCode=\(code)")
  }
}

extension ProjectTransaction {
  /// In the settings of this transaction.
  fileprivate func replaceTemplate(
    of type: MailType, with template: JSONObject
  ) throws(APIError) {
    let member: String
    switch type {
    case .passwordReset: member = "resetPasswordTemplate"
    case .verifyEmail, .verifyAndChangeEmail: member = "verifyEmailTemplate"
    case .recoverEmail: member = "changeEmailTemplate"
    case .emailSignIn: return
    }
    var settings = try settings()
    var notification = settings.config["notification"]?.object ?? JSONObject()
    var mails = notification["sendEmail"]?.object ?? JSONObject()
    mails[member] = .object(template)
    notification["sendEmail"] = .object(mails)
    settings.config["notification"] = .object(notification)
    try save(settings)
  }
}
