/// The pages of `/emulator/action`, one for each way in which it ends.
extension ActionPage {
  package static func passwordChanged(
    email: String, continueURL: String? = nil, in words: PageWords = .english
  ) -> String {
    done(words.passwordChanged, email, continueURL, in: words)
  }

  package static func emailVerified(
    email: String, continueURL: String? = nil, in words: PageWords = .english
  ) -> String {
    done(words.emailVerified, email, continueURL, in: words)
  }

  package static func emailChanged(
    newEmail: String, continueURL: String? = nil, in words: PageWords = .english
  ) -> String {
    done(words.emailChanged, newEmail, continueURL, in: words)
  }

  package static func emailRestored(email: String, in words: PageWords = .english) -> String {
    done(words.emailRestored, email, nil, in: words)
  }

  package static func codeExpired(in words: PageWords = .english) -> String {
    problem(words.codeExpired, in: words)
  }

  package static func codeInvalid(in words: PageWords = .english) -> String {
    problem(words.codeInvalid, in: words)
  }

  package static func missingParameter(
    _ name: String, in words: PageWords = .english
  ) -> String {
    problem(
      title: words.missingParameter.title,
      message: words.missingParameter.message.replacing("{name}", with: name), in: words)
  }

  package static func signInLinkWithoutContinueURL(in words: PageWords = .english) -> String {
    problem(words.missingContinueURL, in: words)
  }

  private static func done(
    _ notice: PageWords.Notice, _ email: String, _ continueURL: String?, in words: PageWords
  ) -> String {
    done(
      title: notice.title, message: notice.message.replacing("{email}", with: email),
      continueURL: continueURL, in: words)
  }

  private static func problem(_ notice: PageWords.Notice, in words: PageWords) -> String {
    problem(title: notice.title, message: notice.message, in: words)
  }
}
