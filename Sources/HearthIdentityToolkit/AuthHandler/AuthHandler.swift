import HearthCrypto
import HearthErrors
import HearthMailbox
import HearthOperations
import HearthPages
import HearthWire

/// The page that replaces every identity provider: pick an account, or make one up.
///
/// SDKs open it in a popup, navigate to it, or open it in a phone's browser.
enum AuthHandler: Operation {
  struct Request: OperationRequest {
    let apiKey: String?
    let providerId: String?
    let tenantId: String?
    /// What SDKs call the language of the app.
    let language: String?

    init(_ wire: WireRequest) {
      apiKey = wire.query["apiKey"].nonEmpty
      providerId = wire.query["providerId"].nonEmpty
      tenantId = wire.query["tenantId"].nonEmpty ?? wire.query["tid"].nonEmpty
      language = wire.query["hl"].nonEmpty
    }
  }

  /// Nobody picks from a longer list.
  private static let longestList = 500

  static func run(
    _ request: Request, in project: ProjectTransaction, _ context: Context
  ) throws(APIError) -> Outcome {
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
    let accounts = try owner.users(ofProvider: providerId, limit: longestList).compactMap {
      $0.provider(providerId)
    }
    let nonce = context.random.base64URL(22)
    let page = AuthHandlerPage(
      app: try owner.appName(), providerId: providerId,
      configuredName: try owner.configuredName(ofProvider: providerId), accounts: accounts,
      language: .best(for: request.language, orAccepted: context.acceptLanguage), nonce: nonce)
    return .answer(
      Answer(
        status: 200, body: .text(page.html, contentType: HTML.contentType),
        headers: HTML.headers(policy: AuthHandlerPage.policy(nonce))))
  }
}

/// The frame through which the JS SDK hears of a sign-in.
///
/// It is the one page that others may frame: the SDK puts it into the app's page. It is the same for
/// everybody and holds nothing of any account; what passes through it is a sign-in that the framing
/// page itself began.
enum AuthIframe: Operation {
  static func run(
    _ request: NoFields, in project: ProjectTransaction, _ context: Context
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
