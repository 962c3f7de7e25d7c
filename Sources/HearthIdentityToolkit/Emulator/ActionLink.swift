import HearthErrors
import HearthOperations
import HearthWire

/// Where the links in mails lead: redeems the code.
///
/// Programs get the official emulator's JSON, browsers a page.
enum ActionLink: Operation {
  static func run(
    _ link: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    let owner = try owner(of: link, project)
    defer { project.outbox = owner.outbox }
    do throws(APIError) {
      return .answer(try answer(link, owner, context).rendered(for: context, in: link.language))
    } catch {
      // A page counts as done, so that what was written would stay.
      guard context.acceptsHTML, error.code != .internalError else { throw error }
      return .answer(ActionReply(refusal: error).rendered(for: context, in: link.language))
    }
  }

  /// Links name their project in `apiKey` where it is not the default one, and their tenant.
  private static func owner(
    of link: Request, _ project: ProjectTransaction
  ) throws(APIError) -> ProjectTransaction {
    let here = project.inTenant(link.tenantId)
    guard let code = link.oobCode, let key = link.apiKey, try here.oobCode(code) == nil else {
      return here
    }
    let there = ProjectTransaction(
      project.transaction, projectId: key, tenantId: link.tenantId, server: project.server)
    return try there.oobCode(code) == nil ? here : there
  }

  private static func answer(
    _ link: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> ActionReply {
    guard link.apiKey != nil else { return .missingAPIKey }
    guard let code = link.oobCode else { return .missingCode }
    switch link.mode {
    case "verifyEmail", "verifyAndChangeEmail":
      return try apply(code, link, project, context)
    case "recoverEmail":
      guard try project.oobCode(code)?.requestType == .recoverEmail else {
        return .wrongCode(mode: "recoverEmail")
      }
      var withoutContinue = link
      withoutContinue.continueURL = nil
      return try apply(code, withoutContinue, project, context)
    case "resetPassword": return try reset(code, link, project, context)
    case "signIn": return signIn(link)
    default: return .invalidMode
    }
  }

  private static func apply(
    _ code: String, _ link: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> ActionReply {
    do throws(APIError) {
      try project.requireAuthEnabled()
      var change = try AccountChange.redeeming(code, project, context)
      _ = try change.finish(project, context)
      if let url = link.continueURL { return .redirect(url) }
      switch link.mode {
      case "verifyAndChangeEmail": return .emailChanged(to: change.newEmail?.text)
      case "recoverEmail": return .emailRestored(change.user.email?.text)
      default: return .emailVerified(change.user.email?.text)
      }
    } catch {
      switch error.code {
      case .invalidOobCode, .notImplemented: return .codeUsedOrUnknown(mode: link.mode ?? "")
      case .expiredOobCode: return .codeExpired(mode: link.mode ?? "")
      default: throw error
      }
    }
  }

  private static func reset(
    _ code: String, _ link: Request, _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> ActionReply {
    let oob: OobCode
    do throws(APIError) {
      oob = try project.pendingOobCode(code, context)
    } catch {
      return error.code == .expiredOobCode
        ? .codeExpired(mode: "resetPassword") : .codeUsedOrUnknown(mode: "resetPassword")
    }
    guard oob.requestType == .passwordReset else {
      return .codeUsedOrUnknown(mode: "resetPassword")
    }
    guard let password = link.newPassword.nonEmpty, password != "NEW_PASSWORD_HERE" else {
      return .askForPassword(oob, isPlaceholder: link.newPassword.isGiven, link)
    }
    do throws(APIError) {
      try ResetPassword.checkSettings(of: project)
      try ResetPassword.redeem(oob, password, project, context)
    } catch {
      guard context.acceptsHTML, error.code == .weakPassword else { throw error }
      return .askAgain(oob, minimumLength: 6, link)
    }
    return link.continueURL.map(ActionReply.redirect) ?? .passwordChanged(oob.email.text)
  }

  /// The code is for the app: it is neither checked nor used up here.
  private static func signIn(_ link: Request) -> ActionReply {
    guard let continueURL = link.continueURL else { return .missingContinueURL }
    guard let url = WebURL(continueURL) else { return .invalidContinueURL }
    var query = FormFields(parsing: url.query ?? "")
    for pair in link.singleValues where pair.name != "continueUrl" { query.set(pair) }
    return .redirect(url.replacing(query: query.text))
  }
}

extension ActionLink {
  /// The query of an action link.
  struct Request: OperationRequest {
    let mode: String?
    let oobCode: String?
    let apiKey: String?
    var continueURL: String?
    let tenantId: String?
    let newPassword: String?
    /// `lang`, for the page.
    let language: String?
    /// Parameters given once, and without brackets in their names.
    let singleValues: [FormFields.Pair]
    let query: FormFields

    init(_ wire: WireRequest) { self.init(wire.query) }

    init(_ query: FormFields) {
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
