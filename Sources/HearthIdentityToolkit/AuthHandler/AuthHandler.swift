import HearthCrypto
import HearthErrors
import HearthMailbox
import HearthOperations
import HearthPages
import HearthWire

/// The page that replaces every identity provider: pick an account, or make one up.
///
/// SDKs open it in a popup, navigate to it, or open it in a phone's browser. For a phone sign-in, the
/// one for iOS opens it in place of reCAPTCHA.
enum AuthHandler: Operation {
  struct Request: OperationRequest {
    let apiKey: String?
    let providerId: String?
    let tenantId: String?
    /// What SDKs call the language of the app.
    let language: String?
    /// Whether it takes the place of reCAPTCHA, and of no provider.
    let verifiesApp: Bool
    /// What an app for iOS calls its sign-in.
    let sessionId: String?
    let scopes: [String]
    let parameters: JSONObject
    /// What a provider has posted; nil for a page that was opened.
    let posted: FormFields?
    /// Whether the address is one that a provider was told.
    let isReturn: Bool

    init(_ wire: WireRequest) {
      isReturn = wire.query["from"] == "provider"
      sessionId = wire.query["sessionId"].nonEmpty
      scopes = (wire.query["scopes"] ?? "").split(separator: ",").map(String.init)
      parameters =
        wire.query["customParameters"].flatMap { try? JSON.parse($0) }?.object ?? JSONObject()
      let fields = wire.body.members.compactMap { member in
        member.value.string.map { FormFields.Pair(name: member.key, value: $0) }
      }
      posted = fields.isEmpty ? nil : FormFields(fields)
      apiKey = wire.query["apiKey"].nonEmpty
      providerId = wire.query["providerId"].nonEmpty
      tenantId = wire.query["tenantId"].nonEmpty ?? wire.query["tid"].nonEmpty
      language = wire.query["hl"].nonEmpty
      verifiesApp = wire.query["authType"] == VerifyAppPage.authType
    }
  }

  /// Nobody picks from a longer list.
  private static let longestList = 500

  static func run(
    _ request: Request, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    if request.verifiesApp, request.apiKey != nil {
      return try verifyApp(request, project: project, context: context)
    }
    if let page = try ProviderStep.ofReturn(request, project: project, context: context) {
      return page
    }
    guard request.apiKey != nil, let providerId = request.providerId else {
      let problem = JSON.members([
        "authEmulator": .members([
          "error": "missing apiKey or providerId query parameters"
        ])
      ])
      return .answer(
        Answer(
          status: 400, body: .text(problem.text, contentType: HTML.contentType),
          headers: HTML.headers(policy: "default-src 'none'; frame-ancestors 'none'")))
    }
    let owner = project.inTenant(request.tenantId)
    _ = try owner.tenant()
    if let page = try ProviderStep.ofVisit(
      request, providerId: providerId, project: owner, context: context)
    {
      return page
    }
    let accounts = try Accounts(in: owner).users(ofProvider: providerId, limit: longestList)
      .compactMap {
        $0.provider(providerId)
      }
    let nonce = context.random.base64URL(22)
    let page = AuthHandlerPage(
      app: try Mailbox(in: owner).appName(), providerId: providerId,
      configuredName: try IdpConfigs(in: owner).configuredName(ofProvider: providerId),
      accounts: accounts,
      language: .best(for: request.language, orAccepted: context.acceptLanguage), nonce: nonce)
    return .answer(
      Answer(
        status: 200, body: .text(page.html, contentType: HTML.contentType),
        headers: HTML.headers(policy: AuthHandlerPage.policy(nonce))))
  }

  private static func verifyApp(
    _ request: Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let nonce = context.random.base64URL(22)
    let page = VerifyAppPage(
      app: try Mailbox(in: project.inTenant(request.tenantId)).appName(),
      language: .best(for: request.language, orAccepted: context.acceptLanguage),
      token: "hearth-fake-recaptcha-token-" + context.random.base64URL(22), nonce: nonce)
    return .answer(
      Answer(
        status: 200, body: .text(page.html, contentType: HTML.contentType),
        headers: HTML.headers(policy: VerifyAppPage.policy(nonce))))
  }
}

/// The frame through which the JS SDK hears of a sign-in.
///
/// It is the one page that others may frame: the SDK puts it into the app's page. It is the same for
/// everybody and holds nothing of any account; what passes through it is a sign-in that the framing
/// page itself began.
enum AuthIframe: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome {
    let nonce = context.random.base64URL(22)
    return .answer(
      Answer(
        status: 200, body: .text(AuthIframePage.html(nonce), contentType: HTML.contentType),
        headers: [
          ("Content-Security-Policy", AuthIframePage.policy(nonce)),
          ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
        ]))
  }
}
