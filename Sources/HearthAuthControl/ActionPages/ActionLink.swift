import HearthCrypto
import HearthErrors
import HearthIdentityToolkit
import HearthMailbox
import HearthOperations
import HearthServiceAccounts
import HearthWire

/// Where the links in mails lead: redeems the code.
///
/// Programs get the official emulator's JSON, browsers a page.
enum ActionLink: Operation {
  static func run(
    _ link: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try run(link, at: .emulator, in: project, context: context)
  }

  static func run(
    _ link: Request, at place: ActionPlace, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let owner = try owner(of: link, project)
    defer { project.outbox = owner.outbox }
    do throws(APIError) {
      let reply = try answer(link, place: place, project: owner, context: context)
      return .answer(
        try rendered(reply, link: link, place: place, project: owner, context: context))
    } catch {
      // A page counts as done, so that what was written would stay.
      guard place.showsPage(context), error.code != .internalError else { throw error }
      return .answer(
        try rendered(
          ActionReply(refusal: error), link: link, place: place, project: owner, context: context))
    }
  }

  /// A page is in the language of the link, with the names of the app and of the account's owner.
  private static func rendered(
    _ reply: ActionReply, link: Request, place: ActionPlace, project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> Answer {
    try reply.rendered(at: place, for: context) { () throws(APIError) in
      ActionPage(
        in: .best(for: link.language, orAccepted: context.acceptLanguage),
        app: try Mailbox(in: project).appName(),
        name: try reply.email.flatMap { (email) throws(APIError) in
          try Accounts(in: project).displayName(ofEmail: Email(unchecked: email)).nonEmpty
        },
        nonce: context.random.base64URL(22))
    }
  }

  /// Links name their project in `apiKey` where it is not the default one, and their tenant.
  private static func owner(
    of link: Request, _ project: ProjectTransaction
  ) throws(APIError) -> ProjectTransaction {
    let here = project.inTenant(link.tenantId)
    guard let code = link.oobCode, let key = link.apiKey,
      try OobCodes(in: here).oobCode(code) == nil
    else {
      return here
    }
    let there = ProjectTransaction(
      project.transaction, projectId: key, tenantId: link.tenantId, server: project.server)
    return try OobCodes(in: there).oobCode(code) == nil ? here : there
  }

  private static func answer(
    _ link: Request, place: ActionPlace, project: ProjectTransaction, context: Context
  ) throws(APIError) -> ActionReply {
    guard link.apiKey != nil else { return .missingAPIKey }
    guard let code = link.oobCode else { return .missingCode }
    switch link.mode {
    case "verifyEmail", "verifyAndChangeEmail":
      return try apply(code, link: link, project: project, context: context)
    case "recoverEmail":
      guard try OobCodes(in: project).oobCode(code)?.requestType == .recoverEmail else {
        return .wrongCode(mode: "recoverEmail")
      }
      var withoutContinue = link
      withoutContinue.continueURL = nil
      return try apply(code, link: withoutContinue, project: project, context: context)
    case "resetPassword":
      return try reset(code, link: link, place: place, project: project, context: context)
    case "signIn": return try signIn(code, link: link, project: project, context: context)
    default: return .invalidMode
    }
  }

  private static func apply(
    _ code: String, link: Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> ActionReply {
    do throws(APIError) {
      try project.requireAuthEnabled()
      var change = try AccountChange.redeeming(code, in: project, context: context)
      _ = try change.finish(project, context: context)
      let success: ActionSuccess =
        switch link.mode {
        case "verifyAndChangeEmail": .emailChanged(to: change.newEmail?.text)
        case "recoverEmail": .emailRestored(change.user.email?.text)
        default: .emailVerified(change.user.email?.text)
        }
      guard let url = link.continueURL else { return .done(success) }
      return .onward(success, to: url, try OobCodes(in: project).oobCode(code)?.app ?? MobileApp())
    } catch {
      switch error.code {
      case .invalidOobCode, .notImplemented:
        return try codeUsedOrUnknown(code, mode: link.mode ?? "", project: project)
      case .expiredOobCode: return .codeExpired(mode: link.mode ?? "")
      default: throw error
      }
    }
  }

  private static func reset(
    _ code: String, link: Request, place: ActionPlace, project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> ActionReply {
    let oob: OobCode
    do throws(APIError) {
      oob = try OobCodes(in: project).pending(code, context: context)
    } catch {
      return error.code == .expiredOobCode
        ? .codeExpired(mode: "resetPassword")
        : try codeUsedOrUnknown(code, mode: "resetPassword", project: project)
    }
    guard oob.requestType == .passwordReset else {
      return .codeUsedOrUnknown(mode: "resetPassword", isUsed: false)
    }
    let policy = try PasswordPolicies(in: project).current()
    guard let password = link.newPassword.nonEmpty, password != "NEW_PASSWORD_HERE" else {
      return .askForPassword(
        oob, policy, isPlaceholder: link.newPassword.isGiven, link,
        openLink: project.openLink(oob.link) ?? oob.link)
    }
    do throws(APIError) {
      try ResetPassword.checkSettings(of: project)
      try ResetPassword.redeem(oob, password: password, project: project, context: context)
    } catch {
      let isWeak = error.code == .weakPassword || error.code == .passwordRequirements
      guard place.showsPage(context), isWeak else { throw error }
      return .askAgain(oob, policy, link)
    }
    let success = ActionSuccess.passwordChanged(oob.email.text)
    return link.continueURL.map { .onward(success, to: $0, oob.app) } ?? .done(success)
  }

  private static func codeUsedOrUnknown(
    _ code: String, mode: String, project: ProjectTransaction
  ) throws(APIError) -> ActionReply {
    .codeUsedOrUnknown(mode: mode, isUsed: try OobCodes(in: project).oobCode(code)?.usedAt != nil)
  }

  /// The code is for the app: it is neither checked nor used up here.
  private static func signIn(
    _ code: String, link: Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> ActionReply {
    guard let continueURL = link.continueURL else { return .missingContinueURL }
    guard let url = WebURL(continueURL) else { return .invalidContinueURL }
    if case .unsafe = OnwardAddress(continueURL) { return .invalidContinueURL }
    var query = FormFields(parsing: url.query ?? "")
    for pair in link.singleValues where pair.name != "continueUrl" { query.set(pair) }
    let page =
      project.server.google?.actionPage(of: project.projectId)
      ?? "\(context.baseURL)/emulator/action"
    return .signIn(
      to: url.replacing(query: query.text),
      try OobCodes(in: project).oobCode(code)?.app ?? MobileApp(),
      link: "\(page)?\(link.query.text)")
  }
}

extension ActionLink {
  /// The query of an action link.
  package struct Request: OperationRequest {
    package let mode: String?
    let oobCode: String?
    package let apiKey: String?
    var continueURL: String?
    package let tenantId: String?
    let newPassword: String?
    /// `lang`, for the page.
    let language: String?
    /// Parameters given once, and without brackets in their names.
    let singleValues: [FormFields.Pair]
    package let query: FormFields

    package init(_ wire: WireRequest) { self.init(wire.query) }

    package init(_ query: FormFields) {
      self.query = query
      mode = query["mode"]
      oobCode = query["oobCode"].nonEmpty
      apiKey = query["apiKey"].nonEmpty
      continueURL = query["continueUrl"].nonEmpty
      tenantId = query["tenantId"].nonEmpty
      newPassword = query["newPassword"]
      language = query["lang"]
      singleValues = query.pairs.filter { pair in
        !pair.name.contains("[") && query.values(of: pair.name).count == 1
      }
    }
  }
}
