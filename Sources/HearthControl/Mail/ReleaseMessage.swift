import HearthErrors
import HearthMailIn
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTransport
import HearthWire

/// Sends a captured mail on through the relay: to the addresses that are given, or to its own.
enum ReleaseMessage: ServerOperation {
  struct Parts: ServerParts {
    let store: Store
    let server: ServerFacts
    /// Nil if no relay is configured.
    let relay: SmtpRelay?

    static func parts(of server: ServerContext) -> Parts {
      Parts(store: server.store, server: server.server, relay: server.network.relay)
    }
  }

  static func run(
    _ request: ServerRequest, with parts: Parts
  ) async throws -> OutgoingReply {
    guard let relay = parts.relay else {
      throw APIError(
        .invalidArgument, detail: "no relay is configured: start hearth with --smtp-relay")
    }
    let mail = try mail(request, with: parts)
    guard !mail.recipients.isEmpty else {
      throw APIError(.invalidArgument, detail: "\"to\" must be a list of addresses")
    }
    guard RelayDialogue.canSay(mail) else {
      throw APIError(.invalidArgument, detail: "an address needs SMTPUTF8, or is not an address")
    }
    if let other = mail.recipients.first(where: { !relay.allows($0) }) {
      throw APIError(.invalidArgument, detail: "\(other) is not allowed by --smtp-relay-to")
    }
    let refused: [(recipient: String, reply: String)]
    do {
      refused = try await relay.deliver(mail)
    } catch {
      throw APIError(.unavailable, detail: "the mail was not relayed: \(error)")
    }
    let accepted = mail.recipients.filter { name in !refused.contains { $0.recipient == name } }
    return ReplyWriter.json(
      .members([
        "accepted": .strings(accepted),
        "rejected": .array(
          refused.map { .members(["to": .string($0.recipient), "reply": .string($0.reply)]) }),
      ]))
  }

  private static func mail(
    _ request: ServerRequest, with parts: Parts
  ) throws(APIError) -> RelayedMail {
    let name = request.wire.path["messageId"] ?? ""
    return try parts.store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: request.project, tenantId: nil, server: parts.server)
      guard let id = Int64(name), let message = try Mailbox(in: project).message(id),
        message.type != TextMessage.type, message.type != PushNote.type
      else {
        throw APIError(.notFound, detail: "no mail \(name) in project \(request.project)")
      }
      let raw = try Mailbox(in: project).rawMail(id)
      return RelayedMail(
        sender: message.sender,
        recipients: request.wire.strings("to") ?? [message.recipient],
        content: raw ?? Array(message.mime.utf8))
    }
  }
}
