import HearthErrors
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTestSupport
import HearthTime
import HearthWire

extension TestProject {
  /// With the tables of the mailbox, and a bound.
  init(mailboxBytes: Int) throws { try self.init(Message.migrations, mailboxBytes: mailboxBytes) }

  func receive(
    _ raw: String, to recipients: [String], source: ReceivedMail.Source = .smtp,
    tags: [String] = [], metadata: JSONObject = JSONObject(), delivery: MailDelivery? = nil
  ) throws {
    var mail = ReceivedMail(
      source: source, envelopeFrom: "bounce@example.com", recipients: recipients,
      raw: Array(raw.utf8), tags: tags, metadata: metadata)
    mail.delivery = delivery
    try inProject { (project) throws(APIError) in
      _ = try Mailbox(in: project).receive(mail, at: clock.now)
    }
  }

  func attachment(_ number: String, of message: String) async throws -> Answer {
    try await perform(
      GetAttachment.self, request: WireRequest(path: ["messageId": message, "attachment": number]))
  }

  func patch(_ message: String, body: JSON) async throws -> Answer {
    try await perform(
      UpdateMessage.self,
      request: WireRequest(body: body.object ?? JSONObject(), path: ["messageId": message]))
  }

  func put(_ operation: any Operation.Type, body: JSON) async throws -> Answer {
    try await perform(operation, request: WireRequest(body: body.object ?? JSONObject()))
  }

  /// The rows of the tables that hold parts of mails.
  func partCounts() throws -> [Int] {
    try inProject { (project) throws(APIError) in
      [
        try project.transaction.count("SELECT count(*) FROM mails"),
        try project.transaction.count("SELECT count(*) FROM mail_recipients"),
      ]
    }
  }
}
