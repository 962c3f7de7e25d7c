import HearthErrors
import HearthWire

extension ActionReply {
  /// What a person sees.
  func page(in words: PageWords) -> String {
    switch self {
    case .missingAPIKey: ActionPage.missingParameter("apiKey", in: words)
    case .missingCode: ActionPage.missingParameter("oobCode", in: words)
    case .invalidMode: ActionPage.missingParameter("mode", in: words)
    case .missingContinueURL, .invalidContinueURL:
      ActionPage.signInLinkWithoutContinueURL(
        in: words)
    case .wrongCode, .codeUsedOrUnknown: ActionPage.codeInvalid(in: words)
    case .codeExpired: ActionPage.codeExpired(in: words)
    case .askForPassword(let oob, _, let link): Self.form(oob, nil, link, words)
    case .askAgain(let oob, let minimum, let link):
      Self.form(oob, words.length(minimum), link, words)
    case .emailVerified(let email): ActionPage.emailVerified(email: email ?? "", in: words)
    case .emailChanged(let newEmail): ActionPage.emailChanged(newEmail: newEmail ?? "", in: words)
    case .emailRestored(let email): ActionPage.emailRestored(email: email ?? "", in: words)
    case .passwordChanged(let email): ActionPage.passwordChanged(email: email, in: words)
    case .redirect(let url):
      ActionPage.done(title: words.onward, message: "", continueURL: url, in: words)
    case .refused(let error):
      ActionPage.problem(title: words.failed, message: error.message, in: words)
    }
  }

  private static func form(
    _ oob: OobCode, _ problem: String?, _ link: ActionLink.Request, _ words: PageWords
  ) -> String {
    ActionPage.resetPasswordForm(
      email: oob.email.text, action: "/emulator/action",
      hidden: link.query.pairs.filter { $0.name != "newPassword" }.map { ($0.name, $0.value) },
      problem: problem, in: words)
  }
}
