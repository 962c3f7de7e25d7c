import HearthErrors
import HearthIdentityToolkit
import HearthMailbox
import HearthPages
import HearthWire

extension ActionReply {
  /// Whose page it is, where it speaks of an account.
  package var email: String? {
    switch self {
    case .askForPassword(let oob, _, isPlaceholder: _, _, _), .askAgain(let oob, _, _):
      oob.email.text
    case .done(let success), .onward(let success, to: _, _): success.email
    case .missingAPIKey, .missingCode, .invalidMode, .missingContinueURL, .invalidContinueURL,
      .wrongCode, .codeUsedOrUnknown, .codeExpired, .signIn, .refused:
      nil
    }
  }

  /// What a person sees. `app` opens the app that the link is for.
  package func html(_ page: ActionPage, at place: ActionPlace, app: OnwardAddress?) -> String {
    let words = page.words
    return switch self {
    case .missingAPIKey: page.problem(words.missingParameter, naming: "apiKey")
    case .missingCode: page.problem(words.missingParameter, naming: "oobCode")
    case .invalidMode: page.problem(words.missingParameter, naming: "mode")
    case .missingContinueURL, .invalidContinueURL:
      page.problem(words.missingContinueURL, naming: "continueUrl")
    case .codeUsedOrUnknown(mode: _, isUsed: true): page.problem(words.codeUsed, state: .warning)
    case .wrongCode, .codeUsedOrUnknown: page.problem(words.codeInvalid)
    case .codeExpired: page.problem(words.codeExpired, state: .warning)
    case .askForPassword(let oob, let policy, _, let link, _):
      // A form that was sent empty is refused like one with too short a password.
      Self.form(
        oob, policy: policy, link: link, place: place, refused: link.newPassword == "" ? "" : nil,
        page: page)
    case .askAgain(let oob, let policy, let link):
      Self.form(
        oob, policy: policy, link: link, place: place, refused: link.newPassword ?? "", page: page)
    case .done(let success): success.html(page)
    case .onward(let success, to: let url, _):
      success.html(page, onward: [app, OnwardAddress(url)].compactMap(\.self))
    case .signIn(to: let url, _, _):
      page.signIn(to: [app, OnwardAddress(url)].compactMap(\.self))
    case .refused(let error) where error.code == .emailExists:
      page.problem(words.emailTaken, state: .warning)
    case .refused(let error): page.failed(error.message)
    }
  }

  private static func form(
    _ oob: OobCode, policy: PasswordPolicy, link: ActionLink.Request, place: ActionPlace,
    refused: String?, page: ActionPage
  ) -> String {
    page.resetPasswordForm(
      email: oob.email.text, action: place.path,
      hidden: link.query.pairs.filter { $0.name != "newPassword" }.map { ($0.name, $0.value) },
      rules: policy.rules, refused: refused)
  }
}
