package import HearthErrors
package import HearthOperations
import HearthSQLite
package import HearthTime
import HearthWire

/// The messages of a project.
package struct Mailbox: ProjectSubject {
  package let project: ProjectTransaction

  package init(in project: ProjectTransaction) { self.project = project }
}

/// The mailbox of a project. Mail is written in the transaction of the request that causes it, so
/// that an acknowledged request never loses its mail.
extension Mailbox {
  /// Writes the mail, stores it, and notifies those who wait for it.
  ///
  /// A message that is not sent is there for people to see.
  package func capture(
    _ draft: MailDraft, context: Context, isSent: Bool = true, verdict: SendVerdict? = nil
  ) throws(APIError) {
    let app = try appName()
    var message = draft.message(
      app: app, project: projectId, in: Language.best(for: try locale(of: context)),
      at: context.now)
    if let template = CustomTemplate(for: draft.type, in: try settings().config) {
      message.apply(template, draft: draft, project: projectId, app: app)
    }
    if !isSent || verdict != nil {
      message.delivery = MailDelivery(isSent ? .delivered : .notSent, verdict: verdict)
    }
    try keep(message)
  }

  /// Stores a message, drops the oldest ones, notifies those who wait, and gives its number.
  @discardableResult
  package func keep(_ message: Message) throws(APIError) -> Int64 {
    try transaction.execute(
      """
      INSERT INTO messages (project, tenant, type, recipient, sender, subject, code, link, locale,
        created_at, expires_at, text, html, sender_name, reply_to)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      arguments: [
        projectId, tenantKey, message.type, message.recipient, message.sender, message.subject,
        message.code, message.link, message.locale, message.createdAt.milliseconds,
        message.expiresAt?.milliseconds, message.text, message.html, message.senderName,
        message.replyTo,
      ])
    let id = transaction.lastInsertedRowID
    if let delivery = message.delivery { try setDelivery(delivery, of: id) }
    try announce(id, bytes: try weigh(message, id: id))
    return id
  }

  /// Notes what became of the code in a message: it was used, or can be used no longer.
  package func settleMessage(_ id: Int64, isUsed: Bool, at time: Timestamp) throws(APIError) {
    let column = isUsed ? "used_at" : "expires_at"
    try transaction.execute(
      "UPDATE messages SET \(column) = ? WHERE id = ? AND project = ?",
      arguments: [time.milliseconds, id, projectId])
    guard isUsed, server.changes.isWatched, let message = try message(id) else { return }
    publishCodeUsed(id, type: message.type, sentTo: message.recipient, at: time)
  }

  /// Notes that the code was redeemed, and publishes whose it was. There need not be a message:
  /// some codes are handed to administrators, and messages are deleted.
  package func noteUse(
    ofCode code: String, type: String, sentTo recipient: String, at time: Timestamp
  ) throws(APIError) {
    // Codes have no index of their own: each mail would pay for it, and few are redeemed. An app may
    // have sent the link that an administrator generated in a mail of its own.
    let messages = try transaction.all(
      """
      SELECT id FROM messages
      WHERE recipient = ? AND project = ? AND (tenant = ? AND code = ? OR token = ?)
        AND used_at IS NULL
      ORDER BY id DESC LIMIT 10
      """,
      arguments: [recipient.lowercased(), projectId, tenantKey, code, code]
    ) { $0[0] as Int64 }
    for message in messages {
      try transaction.execute(
        "UPDATE messages SET used_at = ? WHERE id = ?", arguments: [time.milliseconds, message])
    }
    publishCodeUsed(messages.first, type: type, sentTo: recipient, at: time)
  }

  private func publishCodeUsed(
    _ message: Int64?, type: String, sentTo recipient: String, at time: Timestamp
  ) {
    publish(
      "code.used",
      members: .members([
        "id": message.map { JSON.string(String($0)) }, "to": .string(recipient),
        "type": .string(type), "usedAt": .string(time.iso8601),
      ]))
  }
}

extension Message {
  fileprivate mutating func apply(
    _ template: CustomTemplate, draft: MailDraft, project: String, app: String
  ) {
    let values = [
      "LINK": draft.shownLink, "EMAIL": draft.email, "APP_NAME": app,
      "NEW_EMAIL": draft.newEmail ?? draft.email, "DISPLAY_NAME": draft.displayName ?? "",
    ]
    sender = template.sender(of: project)
    senderName = template.senderName ?? senderName
    replyTo = template.replyTo
    subject = template.subject(values) ?? subject
    if let bodies = template.bodies(values) { (text, html) = bodies }
  }
}
