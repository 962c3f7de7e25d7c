import HearthErrors
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTime

/// Temporary.
struct MailIntake: Sendable {
  let store: Store
  let server: ServerFacts

  func receive(
    _ mail: ReceivedMail, user: String?
  ) async throws(APIError) -> (project: String, id: Int64) {
    let name = server.defaultProject
    return try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: name, tenantId: nil, server: server)
      let id = try project.keep(
        Message(
          type: "NOTICE", recipient: mail.recipients.first ?? "", sender: mail.envelopeFrom,
          subject: "smtp", code: nil, locale: "en", createdAt: server.clocks.now(of: name),
          expiresAt: nil, text: String(decoding: mail.raw, as: UTF8.self)))
      return (name, id)
    }
  }
}
