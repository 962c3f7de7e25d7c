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
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
    try project.requireAuthEnabled()
    let isProduction = try project.answersAsProduction
    if isProduction, request.isUnspecified {
      throw APIError(.invalidRequestType, message: ErrorCode.invalidRequestType.name)
    }
    guard let asked = request.requestType else { throw APIError(.missingRequestType) }
    if request.returnsLink, case .user = context.caller { throw APIError(.insufficientPermission) }
    // Production does not get so far where there is nobody to send a code to.
    if !isProduction { try project.checkContinueURL(request.continueURL) }
    if request.handlesCodeInApp {
      project.outbox.warnings.append("canHandleCodeInApp is unsupported in the Auth Emulator.")
    }

    let requestType: OobCode.RequestType
    switch asked {
    case .known(let type): requestType = type
    case .unsupported(let name): throw .notImplemented(name)
    }
    let found = try recipient(requestType, request, project, context)
    let email = found?.email ?? Email(unchecked: request.email ?? "")
    if requestType == .passwordReset {
      try project.requireAttemptsLeft(.passwordReset, account: email.text, context)
      try project.countAttempt(.passwordReset, account: email.text, context)
    }
    guard let recipient = found else {
      try pretend(requestType, email, request, project, context)
      return answer(email, nil)
    }
    if isProduction { try project.checkContinueURLAsProduction(request.continueURL, requestType) }
    try project.spend(.mail(requestType, isLink: request.returnsLink), context)
    let oob = try project.makeOobCode(
      requestType, email: recipient.email, newEmail: recipient.newEmail,
      continueURL: request.continueURL, app: request.app, context)
    try project.mail(oob, to: recipient.displayName, isSent: !request.returnsLink, context)
    return answer(oob.email, request.returnsLink ? oob : nil)
  }

  /// Does all that is done for an account, and undoes it: nobody can tell by the time.
  private static func pretend(
    _ type: OobCode.RequestType, _ email: Email, _ request: Request,
    _ project: ProjectTransaction, _ context: Context
  ) throws(APIError) {
    let outbox = project.outbox
    defer { project.outbox = outbox }
    do throws(APIError) {
      try project.transaction.nested { () throws(APIError) in
        let oob = try project.makeOobCode(
          type, email: email, continueURL: request.continueURL, context)
        try project.mail(oob, to: nil, context)
        throw APIError(.emailNotFound)
      }
    } catch {
      guard error.code == .emailNotFound else { throw error }
    }
  }

  private struct Recipient {
    let email: Email
    var newEmail: Email?
    var displayName: String?
  }

  /// Nil when enumeration protection hides that the user does not exist.
  private static func recipient(
    _ type: OobCode.RequestType, _ request: Request, _ project: ProjectTransaction,
    _ context: Context
  ) throws(APIError) -> Recipient? {
    switch type {
    case .emailSignin:
      if try project.tenant()?.allowsEmailLinkSignin == false {
        throw APIError(.operationNotAllowed)
      }
      if try project.requiresPasswords { throw APIError(.operationNotAllowed) }
      guard let email = request.email.nonEmpty else { throw APIError(.missingEmail) }
      let address = Email(unchecked: email)
      if try project.answersAsProduction, try project.user(email: address)?.isDisabled == true {
        throw APIError(.userDisabled)
      }
      return Recipient(email: address, displayName: try project.displayName(ofEmail: address))
    case .passwordReset:
      guard let given = request.email.nonEmpty else { throw APIError(.missingEmail) }
      let email = Email(unchecked: given)
      if let name = try project.displayName(ofEmail: email) {
        return Recipient(email: email, displayName: name)
      }
      // As in production; the official emulator says that the user is unknown. An account may have
      // been given an address without a form, and then gets its mail.
      guard Email(given) != nil else { throw APIError(.invalidEmail) }
      if try project.settings().hasEmailPrivacy { return nil }
      throw APIError(.emailNotFound)
    case .verifyEmail:
      return try owner(request, project, context, missingToken: .invalidIDToken)
    case .verifyAndChangeEmail:
      guard let newEmail = request.newEmail.nonEmpty else {
        throw APIError(.missingNewEmail)
      }
      let isProduction = try project.answersAsProduction
      if isProduction, (try? project.newEmail(newEmail)) == nil { throw APIError(.invalidNewEmail) }
      var recipient = try owner(request, project, context, missingToken: .missingIDToken)
      let wanted = Email(unchecked: newEmail)
      if try project.hasUser(email: wanted) {
        if isProduction, try project.settings().hasEmailPrivacy { return nil }
        throw APIError(.emailExists)
      }
      recipient.newEmail = wanted
      return recipient
    case .recoverEmail: throw .notImplemented(type.rawValue)
    }
  }

  /// The user whose address is to be verified: named by an administrator, else the token's.
  private static func owner(
    _ request: Request, _ project: ProjectTransaction, _ context: Context,
    missingToken: ErrorCode
  ) throws(APIError) -> Recipient {
    let hasToken = request.idToken.isGiven
    let needsEmail = request.isEmailNeeded ? try project.answersAsProduction : false
    if request.returnsLink && (!hasToken || needsEmail) {
      guard let given = request.email.nonEmpty else { throw APIError(.missingEmail) }
      let email = Email(unchecked: given)
      guard let name = try project.displayName(ofEmail: email) else {
        throw APIError(.userNotFound)
      }
      return Recipient(email: email, displayName: name)
    }
    guard hasToken else { throw APIError(missingToken) }
    let user = try project.userOfToken(context).user
    guard let email = user.email else { throw APIError(.missingEmail) }
    return Recipient(email: email, displayName: user.displayName)
  }

  private static func answer(_ email: Email, _ oob: OobCode?) -> Outcome {
    .json([
      "kind": "identitytoolkit#GetOobConfirmationCodeResponse",
      "email": email.json,
      "oobCode": (oob?.code).json,
      "oobLink": (oob?.link).json,
    ])
  }
}

extension ProjectTransaction {
  /// An absolute URL; with the switch on, also on a domain that the project lists.
  func checkContinueURL(_ text: String?) throws(APIError) {
    guard let text = text.nonEmpty else { return }
    guard let url = WebURL(text) else {
      throw APIError(
        .invalidContinueURI, "((expected an absolute URI with valid scheme and host))")
    }
    guard try switches().authorizedDomains else { return }
    guard try authorizes(domain: url.host) else {
      throw APIError(.unauthorizedDomain)
    }
  }
}

extension ProjectTransaction {
  /// Production asks for a domain even where the URL is empty, and a sign-in link for a URL.
  fileprivate func checkContinueURLAsProduction(
    _ text: String?, _ type: OobCode.RequestType
  ) throws(APIError) {
    guard let text else {
      if type == .emailSignin { throw APIError(.missingContinueURI) }
      return
    }
    guard WebURL(text) != nil else {
      throw APIError(.invalidContinueURI, "Missing domain in continue url")
    }
    try checkContinueURL(text)
  }

  /// Whether the project has said that nobody signs in with a link alone.
  var requiresPasswords: Bool {
    get throws(APIError) {
      guard try answersAsProduction, tenantId == nil else { return false }
      return try settings().config["signIn"]?["email"]?["passwordRequired"]?.bool == true
    }
  }

  /// `authorizedDomains` of the config; a listed domain stands for its subdomains too. A new project
  /// of production has its own two only.
  var authorizedDomains: [String] {
    get throws(APIError) {
      let settings = try settings()
      if let listed = settings.config["authorizedDomains"]?.array {
        return listed.compactMap(\.string)
      }
      let own =
        settings.switches.answers == .production
        ? ["\(projectId).firebaseapp.com", "\(projectId).web.app"] : ["localhost"]
      return own + server.networkDomains
    }
  }

  fileprivate func authorizes(domain host: String) throws(APIError) -> Bool {
    try authorizedDomains.contains { host == $0 || host.hasSuffix("." + $0) }
  }
}
