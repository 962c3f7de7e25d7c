package import HearthErrors
package import HearthOperations
import HearthPages
import HearthSQLite
package import HearthTime

/// A message whose words somebody else chose.
package struct WrittenMessage: Sendable {
  /// A password that a back end chose, and the news that a password was changed.
  static let types = ["NEW_PASSWORD", "NOTICE"]

  let type: String
  let recipient: String
  let sender: String
  let subject: String
  let code: String?
  let link: String?
  let locale: String
  let expiresAt: Timestamp?
  let text: String
  let html: String

  package init(
    type: String, recipient: String, sender: String, subject: String, code: String?,
    link: String?, locale: String, expiresAt: Timestamp?, text: String, html: String
  ) {
    self.type = type
    self.recipient = recipient
    self.sender = sender
    self.subject = subject
    self.code = code
    self.link = link
    self.locale = locale
    self.expiresAt = expiresAt
    self.text = text
    self.html = html
  }
}

extension ProjectTransaction {
  /// Keeps the message, and gives its number.
  package func capture(_ message: WrittenMessage, _ context: Context) throws(APIError) -> Int64 {
    try keep(
      CapturedMessage(
        type: message.type, recipient: message.recipient, sender: message.sender,
        subject: message.subject.isEmpty ? message.text : message.subject, code: message.code,
        link: message.link, locale: message.locale, expiresAt: message.expiresAt,
        text: message.text,
        html: message.html.isEmpty ? "<p>\(HTML.escape(message.text))</p>" : message.html),
      context)
    return transaction.lastInsertedRowID
  }

  /// Notes what became of the code in a message: it was used, or can be used no longer.
  package func settleMessage(_ id: Int64, isUsed: Bool, at time: Timestamp) throws(APIError) {
    let column = isUsed ? "used_at" : "expires_at"
    try transaction.execute(
      "UPDATE messages SET \(column) = ? WHERE id = ? AND project = ?",
      [time.milliseconds, id, projectId])
    guard isUsed, server.changes.isWatched, let message = try message(id) else { return }
    tellCodeUsed(id, type: message.type, sentTo: message.recipient, at: time)
  }
}
