import HearthMailbox
import HearthPages
import HearthWire

/// The HTML of ``AuthHandler``. Its title, class names and ids are those that UI tests already look
/// for. What begins with `data-` is documented for tests, and stays.
struct AuthHandlerPage {
  /// The name of the app that the sign-in is for.
  let app: String
  let providerId: String
  /// What the project's configuration calls the provider; nil where it has no name.
  let configuredName: String?
  let accounts: [ProviderUserInfo]
  let language: Language
  /// Lets the one script of the page run.
  let nonce: String

  /// Photos of accounts may be anywhere. Nothing may frame the page: a click in it signs in.
  static func policy(_ nonce: String) -> String {
    "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'unsafe-inline'; "
      + "img-src http: https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  /// The same in all languages: tests of browsers wait for it.
  private static let title = "Auth Emulator IDP Login Widget"

  private var words: ProviderWords { language.provider }

  var html: String {
    HTML.card(
      app: app, title: Self.title,
      heading: naming(words.signIn), language: language.tag, isRightToLeft: language.isRightToLeft,
      head: "<style>\n\(WebFiles.`auth-handler.css`)</style>\n",
      body: """
        <p class="hint">\(words.notice)</p>
        <p id="error" data-testid="error" class="problem" role="alert" tabindex="-1" dir="auto" \
        data-opener-gone="\(words.openerGone)" hidden></p>
        <p id="warning" class="problem mild" role="status" dir="auto" hidden></p>
        <section id="accounts-list" data-testid="accounts" aria-label="\(words.accounts)">
        \(list)
        <button type="button" class="js-new-account main" data-testid="new-account">\
        \(words.addAccount)</button>
        </section>
        <section id="add-user" aria-label="\(words.newAccount)" hidden>
        \(form)
        </section>
        <noscript><p class="problem">\(words.needsScript)</p></noscript>
        """,
      script: HTML.script(WebFiles.`app-link.js` + WebFiles.`auth-handler.js`, nonce: nonce))
  }

  /// Else as the official emulator writes it, `Google.com`, which UI tests look for.
  private var providerName: String {
    configuredName ?? providerId.prefix(1).uppercased() + providerId.dropFirst()
  }

  /// A text with the provider's name, which tests look for by its class.
  private func naming(_ text: String) -> String {
    text.replacing(
      "{provider}",
      with: "<bdi class=\"js-provider-id\">\(HTML.escape(providerName))</bdi>")
  }

  private var list: String {
    guard !accounts.isEmpty else {
      return "<p>\(naming(words.noAccounts))</p>"
    }
    let items = accounts.map(item).joined(separator: "\n")
    return """
      <p>\(words.choose)</p>
      <ul>
      \(items)
      </ul>
      """
  }

  private func item(_ account: ProviderUserInfo) -> String {
    let name = account.displayName.nonEmpty ?? words.noName
    let photo =
      account.photoUrl.flatMap(HTML.linkTarget).map { "<img src=\"\($0)\" alt=\"\">" }
      ?? "<span class=\"initial\" aria-hidden=\"true\">\(HTML.escape(name.prefix(1).uppercased()))</span>"
    return """
      <li class="js-reuse-account" data-testid="account" \
      data-uid="\(HTML.escape(account.rawId ?? ""))" \
      data-email="\(HTML.escape(account.email ?? ""))" \
      data-id-token="\(HTML.escape(Self.idToken(of: account)))">\
      <button type="button">\(photo)<span class="person">\
      <span class="name">\(HTML.isolated(name))</span> \
      <span class="email">\(HTML.isolated(account.email ?? ""))</span></span></button></li>
      """
  }

  /// Claims as a provider would make them, encoded as the component of a URL.
  private static func idToken(of account: ProviderUserInfo) -> String {
    let claims = JSON.members([
      "sub": account.rawId.json,
      "iss": "",
      "aud": "",
      "exp": 0,
      "iat": 0,
      "name": account.displayName.json,
      "screen_name": account.screenName.json,
      "email": account.email.json,
      "email_verified": true,
      "picture": account.photoUrl.json,
    ])
    return PercentCoding.encodeComponent(claims.text)
  }

  private var form: String {
    """
    <form id="main-form" novalidate>
    <button type="button" id="autogen-button" data-testid="generate">\(words.generate)</button>
    <label for="email-input">\(words.email)</label>
    <input id="email-input" data-testid="email" name="email" type="email" autocomplete="off" \
    required aria-describedby="email-error">
    <p id="email-error" class="hint" role="status" data-invalid="\(words.invalidEmail)" \
    data-missing="\(words.missingEmail)"></p>
    <label for="display-name-input">\(words.displayName)</label>
    <input id="display-name-input" data-testid="display-name" name="displayName" autocomplete="off">
    <label for="screen-name-input">\(words.screenName)</label>
    <input id="screen-name-input" data-testid="screen-name" name="screenName" autocomplete="off">
    <label for="profile-photo-input">\(words.photo)</label>
    <input id="profile-photo-input" data-testid="photo" name="photoUrl" type="url" \
    autocomplete="off">
    <button type="submit" id="sign-in" data-testid="sign-in" disabled>\
    \(naming(words.signIn))</button>
    <button type="button" id="back-button" data-testid="back">\(words.back)</button>
    </form>
    """
  }
}
