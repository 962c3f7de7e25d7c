/// The words of all mails in one language.
struct MailWords: Sendable {
  let greeting: Phrase
  /// The greeting of a person whose name is known.
  let namedGreeting: Phrase
  let copyHint: Phrase
  let signature: Phrase
  /// A text message with a code.
  let textMessage: Phrase
  let passwordReset: Wording
  let verifyEmail: Wording
  let emailSignIn: Wording
  let verifyAndChangeEmail: Wording
  let recoverEmail: Wording

  /// The words of one type of mail, in the order in which they stand in it.
  struct Wording: Sendable {
    let subject: Phrase
    /// What the link does; the link follows.
    let message: Phrase
    let button: Phrase
    /// What to do if one did not ask for it.
    let disregard: Phrase
  }

  func wording(of type: MailType) -> Wording {
    switch type {
    case .passwordReset: passwordReset
    case .verifyEmail: verifyEmail
    case .emailSignIn: emailSignIn
    case .verifyAndChangeEmail: verifyAndChangeEmail
    case .recoverEmail: recoverEmail
    }
  }
}
