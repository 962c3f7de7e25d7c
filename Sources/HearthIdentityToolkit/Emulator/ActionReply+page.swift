import HearthErrors
import HearthMailbox
import HearthPages
import HearthWire

extension ActionReply {
  /// Whose page it is, where it speaks of an account.
  var email: String? {
    switch self {
    case .askForPassword(let oob, _, isPlaceholder: _, _, _), .askAgain(let oob, _, _):
      oob.email.text
    case .emailVerified(let email), .emailChanged(let email), .emailRestored(let email): email
    case .passwordChanged(let email): email
    case .onward(let reply, to: _, _): reply.email
    default: nil
    }
  }

  /// What a person sees. `app` opens the app that the link is for.
  func html(_ page: ActionPage, at place: ActionPlace, app: OnwardAddress?) -> String {
    let words = page.words
    return switch self {
    case .missingAPIKey: page.problem(words.missingParameter, naming: "apiKey")
    case .missingCode: page.problem(words.missingParameter, naming: "oobCode")
    case .invalidMode: page.problem(words.missingParameter, naming: "mode")
    case .missingContinueURL, .invalidContinueURL:
      page.problem(words.missingContinueURL, naming: "continueUrl")
    case .codeUsedOrUnknown(mode: _, isUsed: true): page.problem(words.codeUsed, .warning)
    case .wrongCode, .codeUsedOrUnknown: page.problem(words.codeInvalid)
    case .codeExpired: page.problem(words.codeExpired, .warning)
    case .askForPassword(let oob, let policy, _, let link, _):
      Self.form(oob, policy, link, place, refused: nil, page)
    case .askAgain(let oob, let policy, let link):
      Self.form(oob, policy, link, place, refused: link.newPassword ?? "", page)
    case .emailVerified, .emailChanged, .emailRestored, .passwordChanged: done(page, [])
    case .onward(let reply, to: let url, _):
      reply.done(page, [app, OnwardAddress(url)].compactMap(\.self))
    case .signIn(to: let url, _, _):
      page.signIn(to: [app, OnwardAddress(url)].compactMap(\.self))
    case .refused(let error) where error.code == .emailExists:
      page.problem(words.emailTaken, .warning)
    case .refused(let error): page.failed(error.message)
    }
  }

  private func done(_ page: ActionPage, _ onward: [OnwardAddress]) -> String {
    let notice =
      switch self {
      case .emailChanged: page.words.emailChanged
      case .emailRestored: page.words.emailRestored
      case .passwordChanged: page.words.passwordChanged
      default: page.words.emailVerified
      }
    return page.done(notice, email: email ?? "", onward: onward)
  }

  private static func form(
    _ oob: OobCode, _ policy: PasswordPolicy, _ link: ActionLink.Request, _ place: ActionPlace,
    refused: String?, _ page: ActionPage
  ) -> String {
    page.resetPasswordForm(
      email: oob.email.text, action: place.path,
      hidden: link.query.pairs.filter { $0.name != "newPassword" }.map { ($0.name, $0.value) },
      rules: policy.rules, refused: refused)
  }
}
