import HearthMailbox
import HearthPages

/// The page that takes the place of reCAPTCHA: where the SDK for iOS has no push notifications, it opens
/// one to have a phone sign-in verified, and waits for the token.
struct VerifyAppPage {
  /// What the SDK calls this use of the page.
  static let authType = "verifyApp"

  /// The name of the app that the sign-in is for.
  let app: String
  let language: Language
  /// What the SDK sends with the phone number. Nobody checks it.
  let token: String
  /// Lets the one script of the page run.
  let nonce: String

  static func policy(_ nonce: String) -> String {
    "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'unsafe-inline'; img-src data:; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  var html: String {
    let words = language.provider
    return HTML.card(
      app: app, title: words.recaptchaTitle, heading: HTML.escape(words.recaptchaTitle),
      language: language.tag, isRightToLeft: language.isRightToLeft,
      body: """
        <p class="hint">\(words.recaptchaNotice)</p>
        <p id="error" class="problem" role="alert" tabindex="-1" dir="auto" hidden></p>
        <p><a id="return-to-app" class="button" data-token="\(HTML.escape(token))" hidden>\
        \(words.returnToApp)</a></p>
        <noscript><p class="problem">\(words.needsScript)</p></noscript>
        """,
      script: HTML.script(WebFiles.`app-link.js` + WebFiles.`verify-app.js`, nonce: nonce))
  }
}
