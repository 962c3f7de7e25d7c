import HearthErrors
import HearthOperations
import HearthWire

/// What `accounts:sendOobCode` looks at, where the two programs do it differently.
protocol OobCodeRules: Sendable {
  func checkType(of request: SendOobCode.Request) throws(APIError)
  func checkBeforeRecipient(
    _ request: SendOobCode.Request, in project: ProjectTransaction
  ) throws(APIError)
  func checkAfterRecipient(
    _ request: SendOobCode.Request, type: OobCode.RequestType, in project: ProjectTransaction
  ) throws(APIError)
  func checkSigningIn(_ email: Email, in project: ProjectTransaction) throws(APIError)
  /// Whether a reply hides that a new address belongs to an account.
  func hidesTakenEmail(in project: ProjectTransaction) throws(APIError) -> Bool
  /// Whether a link is made for the address that is given, whatever token there is.
  func needsEmail(for request: SendOobCode.Request) -> Bool
}

extension ProjectTransaction {
  func oobCodeRules() throws(APIError) -> any OobCodeRules {
    switch try answers {
    case .emulator: LooseOobCodes()
    case .production: StrictOobCodes()
    }
  }
}

/// As the official emulator does it.
private struct LooseOobCodes: OobCodeRules {
  func checkType(of request: SendOobCode.Request) {}

  func checkBeforeRecipient(
    _ request: SendOobCode.Request, in project: ProjectTransaction
  ) throws(APIError) {
    try AuthorizedDomains(in: project).checkContinueURL(request.continueURL)
  }

  func checkAfterRecipient(
    _ request: SendOobCode.Request, type: OobCode.RequestType, in project: ProjectTransaction
  ) {}

  func checkSigningIn(_ email: Email, in project: ProjectTransaction) {}

  func hidesTakenEmail(in project: ProjectTransaction) -> Bool { false }

  func needsEmail(for request: SendOobCode.Request) -> Bool { false }
}

/// As production does it.
private struct StrictOobCodes: OobCodeRules {
  func checkType(of request: SendOobCode.Request) throws(APIError) {
    guard request.isUnspecified else { return }
    throw APIError(.invalidRequestType, message: ErrorCode.invalidRequestType.name)
  }

  /// It does not get as far as the URL where there is nobody to send a code to.
  func checkBeforeRecipient(_ request: SendOobCode.Request, in project: ProjectTransaction) {}

  func checkAfterRecipient(
    _ request: SendOobCode.Request, type: OobCode.RequestType, in project: ProjectTransaction
  ) throws(APIError) {
    try checkContinueURL(
      request.continueURL, isNeeded: type == .emailSignin || request.handlesCodeInApp, in: project)
    if request.handlesCodeInApp {
      let domain = try project.settings().config["mobileLinksConfig"]?["domain"]?.string
      guard domain != "FIREBASE_DYNAMIC_LINK_DOMAIN" else {
        throw APIError(.dynamicLinkNotActivated, detail: "FDL domain is not configured")
      }
    }
    try AuthorizedDomains(in: project).check(request.domain)
  }

  /// A domain is asked for even where the URL is empty. A link to sign in and one for an app need a
  /// URL.
  private func checkContinueURL(
    _ text: String?, isNeeded: Bool, in project: ProjectTransaction
  ) throws(APIError) {
    guard let text else {
      if isNeeded { throw APIError(.missingContinueURI) }
      return
    }
    guard WebURL(text) != nil else {
      throw APIError(.invalidContinueURI, detail: "Missing domain in continue url")
    }
    try AuthorizedDomains(in: project).checkContinueURL(text)
  }

  func checkSigningIn(_ email: Email, in project: ProjectTransaction) throws(APIError) {
    guard let user = try Accounts(in: project).user(email: email) else {
      // A link for a new address makes an account.
      return try project.requireClientPermission(.signUp)
    }
    if user.isDisabled { throw APIError(.userDisabled) }
  }

  func hidesTakenEmail(in project: ProjectTransaction) throws(APIError) -> Bool {
    try project.settings().hasEmailPrivacy
  }

  func needsEmail(for request: SendOobCode.Request) -> Bool { request.isEmailNeeded }
}
