import HearthIdentityToolkit
import Testing

@Suite struct `The pages of the action link` {
  @Test func `ask for a new password in a plain form`() {
    let html = ActionPage.resetPasswordForm(
      email: "ada@example.com", action: "/emulator/action?a=1&b=2",
      hidden: [(name: "oobCode", value: "c\"d"), (name: "mode", value: "resetPassword")])
    #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
    #expect(html.contains("<form method=\"post\" action=\"/emulator/action?a=1&amp;b=2\">"))
    #expect(html.contains("<input type=\"hidden\" name=\"oobCode\" value=\"c&quot;d\">"))
    #expect(html.contains("<input type=\"hidden\" name=\"mode\" value=\"resetPassword\">"))
    #expect(html.contains("name=\"newPassword\" type=\"password\""))
    #expect(html.contains("autocomplete=\"new-password\" minlength=\"6\" required"))
    #expect(!html.contains("role=\"alert\""))
    #expect(!html.contains("<script"))
  }

  @Test func `say what was wrong with the last attempt`() {
    let html = ActionPage.resetPasswordForm(
      email: "ada@example.com", action: "/", hidden: [], problem: "Too <short>")
    #expect(html.contains("role=\"alert\">Too &lt;short&gt;</p>"))
    #expect(html.contains("aria-describedby=\"problem length\" aria-invalid=\"true\""))
  }

  @Test(arguments: [
    "https://example.com/next?a=1", "http://localhost:3000", "com.example.app://signed-in",
    "exp://127.0.0.1:8081",
  ])
  func `lead on to web addresses and apps`(_ url: String) {
    let html = ActionPage.emailVerified(email: "a@b.c", continueURL: url)
    #expect(html.contains("href=\"\(url)\">Continue</a>"))
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)",
    "java\tscript:alert(1)", "\u{1}javascript:alert(1)", "data:text/html,x", "vbscript:x",
    "blob:x", "file:///etc/passwd", "/relative", "", "no-colon", ":x", "1:x",
  ])
  func `lead nowhere that could do harm`(_ url: String) {
    let html = ActionPage.passwordChanged(email: "a@b.c", continueURL: url)
    #expect(!html.contains("<a "))
  }

  @Test func `show what a caller sent as text only`() {
    let hostile = "\"'><script>alert(1)</script>"
    let pages = [
      ActionPage.resetPasswordForm(
        email: hostile, action: hostile, hidden: [(name: hostile, value: hostile)],
        problem: hostile),
      ActionPage.passwordChanged(email: hostile, continueURL: "https://x/" + hostile),
      ActionPage.emailVerified(email: hostile),
      ActionPage.emailChanged(newEmail: hostile),
      ActionPage.emailRestored(email: hostile),
      ActionPage.missingParameter(hostile),
      ActionPage.done(title: hostile, message: hostile),
      ActionPage.problem(title: hostile, message: hostile),
    ]
    for html in pages { #expect(!html.contains("<script")) }
  }

  @Test func `exist for every end`() {
    #expect(ActionPage.codeExpired().contains("<h1>This link has expired</h1>"))
    #expect(ActionPage.codeInvalid().contains("<h1>This link does not work</h1>"))
    #expect(ActionPage.missingParameter("apiKey").contains("apiKey"))
    #expect(ActionPage.signInLinkWithoutContinueURL().contains("continueUrl"))
    #expect(ActionPage.emailRestored(email: "a@b.c").contains("reset it now"))
  }

  @Test(arguments: ["de", "fr", "es", "it", "pt_BR", "ja-JP", "zh-CN"])
  func `speak the language of the mail`(_ language: String) {
    let words = PageWords.best(for: language)
    let pages = { (words: PageWords) in
      [
        ActionPage.resetPasswordForm(email: "a@b.c", action: "/", hidden: [], in: words),
        ActionPage.passwordChanged(email: "a@b.c", continueURL: "https://x", in: words),
        ActionPage.emailVerified(email: "a@b.c", in: words),
        ActionPage.emailChanged(newEmail: "a@b.c", in: words),
        ActionPage.emailRestored(email: "a@b.c", in: words),
        ActionPage.codeExpired(in: words), ActionPage.codeInvalid(in: words),
        ActionPage.missingParameter("mode", in: words),
        ActionPage.signInLinkWithoutContinueURL(in: words),
      ]
    }
    for (page, english) in zip(pages(words), pages(.best(for: "tlh"))) {
      #expect(page.contains("<html lang=\"\(language.prefix(2))"))
      #expect(!page.contains("{") || page.contains("<style>"))
      #expect(page.contains("a@b.c") == english.contains("a@b.c"))
      #expect(page != english)
    }
  }

  @Test func `are sent with a strict policy`() {
    let policy = ActionPage.headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
    #expect(policy.contains("default-src 'none'"))
    #expect(!policy.contains("script-src"))
  }
}
