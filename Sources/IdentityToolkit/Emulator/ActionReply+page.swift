import HearthCore

extension ActionReply {
  /// What a person sees.
  var page: String {
    switch self {
    case .missingAPIKey: ActionPage.missingParameter("apiKey")
    case .missingCode: ActionPage.missingParameter("oobCode")
    case .invalidMode: ActionPage.missingParameter("mode")
    case .missingContinueURL, .invalidContinueURL: ActionPage.signInLinkWithoutContinueURL()
    case .wrongCode, .codeUsedOrUnknown: ActionPage.codeInvalid()
    case .codeExpired: ActionPage.codeExpired()
    case .askForPassword(let oob, _, let link): Self.form(oob, nil, link)
    case .askAgain(let oob, let problem, let link): Self.form(oob, problem, link)
    case .emailVerified(let email): ActionPage.emailVerified(email: email ?? "")
    case .emailChanged(let newEmail): ActionPage.emailChanged(newEmail: newEmail ?? "")
    case .emailRestored(let email): ActionPage.emailRestored(email: email ?? "")
    case .passwordChanged(let email): ActionPage.passwordChanged(email: email)
    case .redirect(let url): ActionPage.done(title: "Continue", message: "", continueURL: url)
    case .refused(let error): ActionPage.problem(title: "That failed", message: error.message)
    }
  }

  private static func form(
    _ oob: OobCode, _ problem: String?, _ link: ActionLinkRequest
  ) -> String {
    ActionPage.resetPasswordForm(
      email: oob.email, action: "/emulator/action",
      hidden: link.query.pairs.filter { $0.name != "newPassword" }.map { ($0.name, $0.value) },
      problem: problem)
  }
}
