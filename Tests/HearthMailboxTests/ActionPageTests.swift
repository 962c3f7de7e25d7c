import HearthIdentityToolkit
import HearthMailbox
import HearthPages
import Testing

@Suite struct `The pages of the action link` {
  private static let everyRule: [PasswordRule] = [
    .atLeast(8), .atMost(20), .lowercase, .uppercase, .digit, .symbol,
  ]

  private func form(
    _ page: ActionPage = ActionPage(app: "demo"), rules: [PasswordRule] = [.atLeast(6)],
    refused: String? = nil
  ) -> String {
    page.resetPasswordForm(
      email: "ada@example.com", action: "/emulator/action?a=1&b=2",
      hidden: [(name: "oobCode", value: "c\"d"), (name: "mode", value: "resetPassword")],
      rules: rules, refused: refused)
  }

  /// A page for every end.
  private func ends(_ page: ActionPage, value: String = "a@b.c") -> [String] {
    let words = page.language.pages
    return [
      page.resetPasswordForm(
        email: value, action: value, hidden: [(name: value, value: value)],
        rules: Self.everyRule, refused: "x"),
      page.done(words.passwordChanged, email: value, onward: [OnwardAddress("https://x/" + value)]),
      page.done(words.emailVerified, email: value, onward: [OnwardAddress("app://" + value)]),
      page.done(words.emailChanged, email: value, onward: [OnwardAddress("javascript:" + value)]),
      page.done(words.emailRestored, email: value),
      page.problem(words.missingParameter, naming: value),
      page.problem(words.missingContinueURL, naming: value),
      page.problem(words.codeExpired, state: .warning),
      page.problem(words.codeUsed, state: .warning),
      page.problem(words.codeInvalid), page.problem(words.emailTaken),
      page.signIn(to: [OnwardAddress("app://" + value)]), page.failed(value),
    ]
  }

  @Test func `ask for a new password in a form that needs no script`() {
    let html = form()
    #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    #expect(
      html.contains("<form method=\"post\" action=\"/emulator/action?a=1&amp;b=2\" novalidate>"))
    #expect(html.contains("<input type=\"hidden\" name=\"oobCode\" value=\"c&quot;d\">"))
    #expect(html.contains("<input type=\"hidden\" name=\"mode\" value=\"resetPassword\">"))
    #expect(html.contains("name=\"newPassword\" type=\"password\""))
    #expect(html.contains("autocomplete=\"new-password\" minlength=\"6\" required"))
    #expect(!html.contains("role=\"alert\""))
    #expect(html.contains("<label class=\"check\" hidden>"))
  }

  @Test func `tell each rule, and which ones the last attempt has missed`() {
    let html = form(rules: Self.everyRule, refused: "short1")
    #expect(html.contains("minlength=\"8\""))
    #expect(html.contains("role=\"alert\">This password does not meet the requirements.</p>"))
    #expect(html.contains("aria-describedby=\"problem rules\" aria-invalid=\"true\""))
    #expect(html.contains("data-value=\"8\" data-is=\"missing\">At least 8 characters</li>"))
    #expect(html.contains("data-value=\"20\" data-is=\"met\">At most 20 characters</li>"))
    #expect(html.contains("\"lowercase\" data-is=\"met\">"))
    #expect(html.contains("\"uppercase\" data-is=\"missing\">"))
    #expect(html.contains("\"digit\" data-is=\"met\">"))
    #expect(!html.contains("short1"))
  }

  @Test func `name the app and the person`() {
    let html = form(ActionPage(app: "Söhne & Co", name: "Ann <Otter>"))
    #expect(html.contains("<p class=\"app\"><bdi>Söhne &amp; Co</bdi></p>"))
    #expect(html.contains("<bdi>Ann &lt;Otter&gt;</bdi>"))
    #expect(html.contains("<title>Choose a new password – Söhne &amp; Co</title>"))
  }

  @Test(arguments: ["https://example.com/next?a=1", "http://localhost:3000"])
  func `lead on to web addresses`(_ url: String) {
    let page = ActionPage(app: "demo")
    let html = page.done(
      page.language.pages.emailVerified, email: "a@b.c", onward: [OnwardAddress(url)])
    #expect(html.contains("href=\"\(url)\">Continue</a>"))
  }

  @Test(arguments: ["com.example.app://signed-in", "exp://127.0.0.1:8081", "artitec://x?a=1"])
  func `offer to open an app, and say what opens`(_ url: String) {
    let page = ActionPage(app: "demo")
    for html in [
      page.done(page.language.pages.emailVerified, email: "a@b.c", onward: [OnwardAddress(url)]),
      page.signIn(to: [OnwardAddress(url)]),
    ] {
      #expect(html.contains("href=\"\(url)\" aria-describedby=\"opens\">Open in the app</a>"))
      #expect(html.contains("This opens the address <bdi>\(url)</bdi> in an app"))
    }
  }

  @Test func `offer the browser beside the app`() {
    let page = ActionPage(app: "demo")
    let html = page.signIn(to: [OnwardAddress("com.example://x"), OnwardAddress("https://x")])
    #expect(html.contains("href=\"com.example://x\""))
    #expect(html.contains("<a class=\"button quiet\" href=\"https://x\">Continue in the browser"))
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)",
    "java\tscript:alert(1)", "\u{1}javascript:alert(1)", "data:text/html,x", "vbscript:x",
    "blob:x", "file:///etc/passwd", "/relative", "", "no-colon", ":x", "1:x",
  ])
  func `lead nowhere that could do harm`(_ url: String) {
    let page = ActionPage(app: "demo")
    let html = page.done(
      page.language.pages.passwordChanged, email: "a@b.c", onward: [OnwardAddress(url)])
    #expect(!html.contains("<a "))
    #expect(html.contains("Addresses of this kind are not opened.") == url.contains(":"))
  }

  @Test func `name what a link misses`() {
    let page = ActionPage(app: "demo")
    let html = page.problem(page.language.pages.missingParameter, naming: "apiKey")
    #expect(html.contains("Its parameter <bdi>apiKey</bdi> is missing"))
  }

  @Test func `show what a caller sent as text only`() {
    let hostile = "\"'><script>alert(1)</script>{email}{name}{url}"
    for html in ends(ActionPage(app: hostile, name: hostile, nonce: "n"), value: hostile) {
      #expect(html.split(separator: "<script").count <= 2)
      #expect(!html.contains("<script>") && !html.contains("\"'>"))
    }
  }

  @Test(arguments: Language.all.map(\.tag))
  func `have every phrase in every language`(_ tag: String) {
    let english = ends(ActionPage(app: "demo", name: "Ann"))
    let language = Language.best(for: tag)
    for (page, english) in zip(ends(ActionPage(in: language, app: "demo", name: "Ann")), english) {
      #expect(
        page.contains("<html lang=\"\(tag)\"\(language.isRightToLeft ? " dir=\"rtl\"" : "")>"))
      let body = page.split(separator: "</style>").last ?? ""
      let words = body.split(separator: "<script").first ?? ""
      #expect(!words.replacing("{rules}", with: "").contains(/\{[a-z]+\}/))
      #expect(words.contains("<h1>") && !words.contains("<h1></h1>"))
      #expect(page.contains("a@b.c") == english.contains("a@b.c"))
      #expect(tag == "en" || page != english)
    }
    #expect(form(ActionPage(in: language, app: "demo")).contains("{rules}"))
  }

  @Test func `let only their own script run`() {
    let page = ActionPage(app: "demo", nonce: "n0nce")
    let policy = page.headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'nonce-n0nce'; "))
    #expect(form(page).contains("<script nonce=\"n0nce\">"))
  }
}

@Suite struct `The rules of passwords` {
  @Test(arguments: [
    (PasswordRule.atLeast(3), "abc", "ab"), (.atMost(2), "ab", "abc"), (.atLeast(4), "🚀🚀", "🚀a"),
    (.lowercase, "Ab", "A1"), (.uppercase, "Ab", "a1"), (.digit, "a1", "a٣"),
    (.symbol, "a b", "aß"),
  ])
  func `are met or not`(_ rule: PasswordRule, _ good: String, _ bad: String) {
    #expect(rule.isMet(by: good) && !rule.isMet(by: bad))
  }
}
