package import HearthErrors
package import HearthOperations
import HearthPages
package import HearthTime

/// A text message with a verification code, captured like a mail.
package struct TextMessage: Sendable {
  package static let type = "SMS"

  package let phoneNumber: String
  package let code: String
  package let expiresAt: Timestamp?

  package init(to phoneNumber: String, code: String, expiresAt: Timestamp?) {
    self.phoneNumber = phoneNumber
    self.code = code
    self.expiresAt = expiresAt
  }
}

extension Mailbox {
  /// Keeps the message where mails are kept, in the transaction of the request that causes it.
  package func capture(
    _ message: TextMessage, context: Context, verdict: SendVerdict? = nil
  ) throws(APIError) {
    let language = Language.best(for: try locale(of: context))
    let values = SlotValues(app: try appName(), code: message.code)
    var text = ""
    text.append(
      language.mails.textMessage, values: language.isRightToLeft ? values.isolated : values)
    var kept = Message(
      type: TextMessage.type, recipient: message.phoneNumber, sender: projectId,
      code: message.code, locale: language.tag, createdAt: context.now,
      expiresAt: message.expiresAt, text: text)
    kept.delivery = verdict.map { MailDelivery(.delivered, verdict: $0) }
    try keep(kept)
  }
}
