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

  init(_ words: Words) {
    greeting = Phrase(words["greeting"])
    namedGreeting = Phrase(words["namedGreeting"])
    copyHint = Phrase(words["copyHint"])
    signature = Phrase(words["signature"])
    textMessage = Phrase(words["textMessage"])
    passwordReset = Wording(words.part("passwordReset"))
    verifyEmail = Wording(words.part("verifyEmail"))
    emailSignIn = Wording(words.part("emailSignIn"))
    verifyAndChangeEmail = Wording(words.part("verifyAndChangeEmail"))
    recoverEmail = Wording(words.part("recoverEmail"))
  }

  /// The words of one type of mail, in the order in which they stand in it.
  struct Wording: Sendable {
    let subject: Phrase
    /// What the link does; the link follows.
    let message: Phrase
    let button: Phrase
    /// What to do if one did not ask for it.
    let disregard: Phrase

    init(_ words: Words) {
      subject = Phrase(words["subject"])
      message = Phrase(words["message"])
      button = Phrase(words["button"])
      disregard = Phrase(words["disregard"])
    }
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
