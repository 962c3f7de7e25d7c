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

  fileprivate func words(app: String, in language: Language) -> String {
    switch language.tag {
    case "de": "\(code) ist Ihr Bestätigungscode für \(app)."
    case "fr": "\(code) est votre code de validation pour \(app)."
    case "es": "\(code) es tu código de verificación para \(app)."
    case "it": "\(code) è il tuo codice di verifica per \(app)."
    case "pt-BR": "\(code) é seu código de verificação para \(app)."
    case "ja": "\(app) の確認コードは \(code) です。"
    case "zh-CN": "\(app) 的验证码为 \(code)。"
    default: "\(code) is your verification code for \(app)."
    }
  }
}

extension ProjectTransaction {
  /// Keeps the message where mails are kept, in the transaction of the request that causes it.
  package func capture(_ message: TextMessage, _ context: Context) throws(APIError) {
    let language = Language.best(for: context.locale)
    try keep(
      Message(
        type: TextMessage.type, recipient: message.phoneNumber, sender: projectId,
        code: message.code, locale: language.tag, createdAt: context.now,
        expiresAt: message.expiresAt, text: message.words(app: projectId, in: language)))
  }
}
