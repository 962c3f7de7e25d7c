import HearthCrypto
import HearthErrors
import HearthMailbox
import HearthOperations
import HearthPages
import HearthWire

/// The steps of the handler when a provider's page is used. Its pages show nothing; their script goes on.
enum ProviderStep {
  /// The page that leads to the provider; nil where Hearth's own page takes its place.
  static func ofVisit(
    _ request: AuthHandler.Request, providerId: String, project: ProjectTransaction,
    context: Context
  ) throws(APIError) -> Outcome? {
    let sessionId = request.sessionId ?? context.random.alphanumeric(27)
    let handler = project.server.google == nil ? "/emulator/auth/handler" : "/__/auth/handler"
    let isDefault = project.projectId == project.server.defaultProject
    let place = handler + (isDefault ? "" : "?from=provider")
    let wish = ProviderPages.Wish(
      providerId: providerId, continueURI: context.baseURL + place, sessionId: sessionId,
      scopes: request.scopes, parameters: request.parameters)
    guard let address = try ProviderPages(in: project, context: context).address(for: wish) else {
      return nil
    }
    return page(
      ["provider-step": "go", "address": address, "session": sessionId], request: request,
      context: context)
  }

  /// The page that a provider leads back to; nil for other calls.
  static func ofReturn(
    _ request: AuthHandler.Request, project: ProjectTransaction, context: Context
  ) throws(APIError) -> Outcome? {
    guard request.apiKey == nil, request.providerId == nil else { return nil }
    // The switch of a project that is not the default one is not known here.
    let goesByPages = try project.switches().providerPages
    guard request.isReturn || goesByPages else { return nil }
    return page(
      ["provider-step": "return", "posted": request.posted?.text ?? ""], request: request,
      context: context)
  }

  private static func page(
    _ data: KeyValuePairs<String, String>, request: AuthHandler.Request, context: Context
  ) -> Outcome {
    let nonce = context.random.base64URL(22)
    let attributes = data.map { "data-\($0.key)=\"\(HTML.escape($0.value))\"" }
      .joined(separator: " ")
    let language = Language.best(for: request.language, orAccepted: context.acceptLanguage)
    let html = HTML.page(
      title: "Sign-in", language: language.tag, isRightToLeft: language.isRightToLeft,
      body: """
        <main class="card" id="step" \(attributes)>
        <p id="error" data-testid="error" class="problem" role="alert" tabindex="-1" \
        data-opener-gone="\(language.provider.openerGone)" hidden></p>
        <noscript><p class="problem">\(language.provider.needsScript)</p></noscript>
        </main>
        """
          + HTML.script(WebFiles.`app-link.js` + WebFiles.`auth-handler.js`, nonce: nonce))
    return .answer(
      Answer(
        status: 200, body: .text(html, contentType: HTML.contentType),
        headers: HTML.headers(policy: AuthHandlerPage.policy(nonce))))
  }
}
