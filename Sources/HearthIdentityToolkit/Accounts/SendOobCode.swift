import HearthErrors
import HearthOperations
import HearthSQLite
import HearthWire

/// Sends an out-of-band code by mail, or hands its link to an administrator.
/// https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/sendOobCode
enum SendOobCode: Operation {
  struct Request: OperationRequest {
    let requestType: RequestType?
    let email: String?
    let newEmail: String?
    let idToken: String?
    let continueURL: String?
    /// Whether the type is there, and says nothing.
    let isUnspecified: Bool
    let app: MobileApp
    let domain: LinkDomain
    let returnsLink: Bool
    let handlesCodeInApp: Bool

    init(_ wire: WireRequest) {
      requestType = RequestType(wire.string("requestType"))
      isUnspecified = wire.string("requestType") == "OOB_REQ_TYPE_UNSPECIFIED"
      email = wire.string("email")
      newEmail = wire.string("newEmail")
      idToken = wire.string("idToken")
      continueURL = wire.string("continueUrl")
      // As `CamelCase` writes `iOSBundleId`.
      app = MobileApp(
        iosBundleId: wire.string("iOsBundleId").nonEmpty,
        androidPackageName: wire.string("androidPackageName").nonEmpty)
      domain = LinkDomain(wire)
      returnsLink = wire.bool("returnOobLink") == true
      handlesCodeInApp = wire.bool("canHandleCodeInApp") == true
    }

    /// A link that changes an address is made for the address that is given, whose token there may be.
    var isEmailNeeded: Bool {
      if case .known(.verifyAndChangeEmail)? = requestType { true } else { false }
    }

    /// What kind of code is asked for.
    enum RequestType {
      case known(OobCode.RequestType)
      case unsupported(String)

      /// Nil when it is missing or unspecified.
      init?(_ text: String?) {
        guard let text = text.nonEmpty, text != "OOB_REQ_TYPE_UNSPECIFIED" else { return nil }
        switch OobCode.RequestType(rawValue: text) {
        case .recoverEmail?, nil: self = .unsupported(text)
        case let type?: self = .known(type)
        }
      }
    }
  }

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let rules = try project.oobCodeRules()
    try rules.checkType(of: request)
    guard let asked = request.requestType else { throw APIError(.missingRequestType) }
    if request.returnsLink, case .user = context.caller { throw APIError(.insufficientPermission) }
    try rules.checkBeforeRecipient(request, in: project)
    if request.handlesCodeInApp { project.outbox.notices.insert(.handlesCodeInApp) }

    let requestType: OobCode.RequestType
    switch asked {
    case .known(let type): requestType = type
    case .unsupported(let name): throw .notImplemented(name)
    }
    let found = try recipient(
      requestType, request: request, rules: rules, project: project, context: context)
    let email = found?.email ?? Email(unchecked: request.email ?? "")
    if requestType == .passwordReset {
      try Attempts(in: project).requireAttemptsLeft(
        .passwordReset, account: email.text, context: context)
      try Attempts(in: project).countAttempt(.passwordReset, account: email.text, context: context)
    }
    guard let recipient = found else {
      try pretend(requestType, email: email, request: request, project: project, context: context)
      return answer(email, oob: nil)
    }
    try rules.checkAfterRecipient(request, type: requestType, in: project)
    let facts = SendFacts(requestType, to: recipient.email)
    return try BlockingFunctions(in: project).sending(facts, context: context) {
      verdict, project, context throws(APIError) in
      try Attempts(in: project).spend(
        .mail(requestType, isLink: request.returnsLink), context: context)
      let codes = OobCodes(in: project)
      let oob = try codes.make(
        requestType, email: recipient.email, newEmail: recipient.newEmail,
        continueURL: request.continueURL, app: request.app, context: context)
      try codes.mail(
        oob, to: recipient.displayName, isSent: !request.returnsLink, verdict: verdict,
        context: context)
      return answer(oob.email, oob: request.returnsLink ? oob : nil)
    }
  }

  /// Does all that is done for an account, and undoes it: nobody can tell by the time.
  private static func pretend(
    _ type: OobCode.RequestType, email: Email, request: Request,
    project: ProjectTransaction, context: Context
  ) throws(APIError) {
    let outbox = project.outbox
    defer { project.outbox = outbox }
    do throws(APIError) {
      try project.transaction.nested { () throws(APIError) in
        let oob = try OobCodes(in: project).make(
          type, email: email, continueURL: request.continueURL, context: context)
        try OobCodes(in: project).mail(oob, to: nil, context: context)
        throw APIError(.emailNotFound)
      }
    } catch {
      guard error.code == .emailNotFound else { throw error }
    }
  }

  private struct Recipient: Sendable {
    let email: Email
    var newEmail: Email?
    var displayName: String?
  }

  /// Nil when enumeration protection hides that the user does not exist.
  private static func recipient(
    _ type: OobCode.RequestType, request: Request, rules: any OobCodeRules,
    project: ProjectTransaction, context: Context
  ) throws(APIError) -> Recipient? {
    switch type {
    case .emailSignin:
      guard try project.allows(.emailLink) else { throw APIError(.operationNotAllowed) }
      guard let email = request.email.nonEmpty else { throw APIError(.missingEmail) }
      let address = Email(unchecked: email)
      try rules.checkSigningIn(address, in: project)
      return Recipient(
        email: address, displayName: try Accounts(in: project).displayName(ofEmail: address))
    case .passwordReset:
      guard let given = request.email.nonEmpty else { throw APIError(.missingEmail) }
      let email = Email(unchecked: given)
      if let name = try Accounts(in: project).displayName(ofEmail: email) {
        return Recipient(email: email, displayName: name)
      }
      // As in production; the official emulator says that the user is unknown. An account may have
      // been given an address without a form, and then gets its mail.
      guard Email(given) != nil else { throw APIError(.invalidEmail) }
      if try project.settings().hasEmailPrivacy { return nil }
      throw APIError(.emailNotFound)
    case .verifyEmail:
      return try owner(
        request, rules: rules, project: project, context: context, missingToken: .invalidIDToken)
    case .verifyAndChangeEmail:
      guard let newEmail = request.newEmail.nonEmpty else {
        throw APIError(.missingNewEmail)
      }
      if (try? project.newEmail(newEmail)) == nil { throw APIError(.invalidNewEmail) }
      var recipient = try owner(
        request, rules: rules, project: project, context: context, missingToken: .missingIDToken)
      let wanted = Email(unchecked: newEmail)
      if try Accounts(in: project).hasUser(email: wanted) {
        if try rules.hidesTakenEmail(in: project) { return nil }
        throw APIError(.emailExists)
      }
      recipient.newEmail = wanted
      return recipient
    case .recoverEmail: throw .notImplemented(type.rawValue)
    }
  }

  /// The user whose address is to be verified: named by an administrator, else the token's.
  private static func owner(
    _ request: Request, rules: any OobCodeRules, project: ProjectTransaction,
    context: Context, missingToken: ErrorCode
  ) throws(APIError) -> Recipient {
    let hasToken = request.idToken.isGiven
    if request.returnsLink && (!hasToken || rules.needsEmail(for: request)) {
      guard let given = request.email.nonEmpty else { throw APIError(.missingEmail) }
      let email = Email(unchecked: given)
      guard let name = try Accounts(in: project).displayName(ofEmail: email) else {
        throw APIError(.userNotFound)
      }
      return Recipient(email: email, displayName: name)
    }
    guard hasToken else { throw APIError(missingToken) }
    let user = try Sessions(in: project).userOfToken(context).user
    guard let email = user.email else { throw APIError(.missingEmail) }
    return Recipient(email: email, displayName: user.displayName)
  }

  private static func answer(_ email: Email, oob: OobCode?) -> Outcome {
    .json([
      "kind": "identitytoolkit#GetOobConfirmationCodeResponse",
      "email": email.json,
      "oobCode": (oob?.code).json,
      "oobLink": (oob?.link).json,
    ])
  }
}
