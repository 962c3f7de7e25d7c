import HearthPages
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@testable import HearthMailbox

@Suite struct `Mails of every type in every language` {
  static let cases = MailType.allCases.flatMap { type in
    Language.all.map { (type, $0.tag) }
  }
  private let now = Timestamp(seconds: 1_800_000_000)

  @Test(arguments: cases)
  func `carry the link and the code`(_ type: MailType, _ tag: String) {
    let draft = MailDraft.sample(type, code: "k0b-Code_")
    let mail = draft.message(app: "demo-app", in: .best(for: tag), at: now)
    #expect(mail.text.contains("\n\(draft.link)\n"))
    #expect(mail.text.contains("k0b-Code_"))
    #expect(mail.html.contains("href=\"\(HTML.escape(draft.link))\""))
    #expect(mail.html.contains(">\(HTML.escape(draft.link))</a>"))
    #expect(mail.html.contains("<html lang=\"\(tag)\">"))
    #expect(mail.subject.contains("demo-app"))
    #expect(mail.text.contains("demo-app"))
  }

  @Test(arguments: cases)
  func `name the addresses`(_ type: MailType, _ tag: String) {
    let mail = MailDraft.sample(type).message(app: "demo-app", in: .best(for: tag), at: now)
    #expect(mail.text.contains("ada@example.com"))
    let namesBoth = type == .verifyAndChangeEmail || type == .recoverEmail
    #expect(mail.text.contains("eve@example.com") == namesBoth)
  }

  @Test(arguments: cases)
  func `render harmless what a caller sent`(_ type: MailType, _ tag: String) {
    let hostile = "\"><script>alert('x')</script>@example.com"
    let draft = MailDraft(
      type: type, recipient: hostile, email: hostile, newEmail: hostile, code: "c",
      link: "http://host/?q=\"><script>alert(1)</script>")
    let html = draft.message(app: "<script>", in: .best(for: tag), at: now).html
    #expect(!html.contains("<script"))
    #expect(!html.contains("alert('x')"))
    #expect(html.contains("&lt;script&gt;"))
  }

  @Test(arguments: Language.all.map(\.tag))
  func `use no words that mean something in HTML`(_ tag: String) {
    for type in MailType.allCases {
      let text = MailDraft.sample(type).message(app: "a", in: .best(for: tag), at: now).text
      let words = text.replacing(MailDraft.sample(type).link, with: "")
      #expect(!words.contains { "<>&\"'".contains($0) })
    }
  }

  @Test func `do not link to a script`() {
    let draft = MailDraft(
      type: .passwordReset, recipient: "a@b.c", email: "a@b.c", code: "c",
      link: "javascript:alert(1)")
    #expect(!draft.message(app: "demo", in: .english, at: now).html.contains("href"))
  }
}

@Suite struct `A template of a project's own` {
  private func template(_ body: String, subject: String = "S") throws -> CustomTemplate {
    try #require(
      CustomTemplate(
        for: .passwordReset,
        in: JSONObject([
          "notification": [
            "sendEmail": [
              "resetPasswordTemplate": .members([
                "subject": .string(subject), "body": .string(body), "bodyFormat": "HTML",
              ])
            ]
          ]
        ])))
  }

  @Test(arguments: [
    ("<script>alert(1)</script>Hi", "Hi"),
    ("<style>p{color:green}</style><p>Hi</p>", "Hi\n"),
    ("<STYLE media='x'>a</STYLE >Hi", "Hi"),
    ("<title>t</title><!-- <b>note</b> -->Hi<script>", "Hi"),
    ("Hi <b>you</b><br>bye", "Hi you\nbye"),
  ])
  func `has a text without what is not for readers`(_ html: String, _ text: String) throws {
    let bodies = try #require(try template(html).bodies([:]))
    #expect(bodies.text == text)
    #expect(bodies.html == html)
  }

  @Test func `is filled with all its values`() throws {
    let values = ["DISPLAY_NAME": "<Ann>", "APP_NAME": "demo", "EMAIL": "a@b.c"]
    let template = try template(
      "<p>%DISPLAY_NAME% %EMAIL% %OTHER%</p>", subject: "Hi %DISPLAY_NAME%")
    #expect(template.subject(values) == "Hi <Ann>")
    #expect(template.bodies(values)?.html == "<p>&lt;Ann&gt; a@b.c %OTHER%</p>")
  }
}

@Suite struct `The language of a mail` {
  @Test(arguments: [
    (nil, "en"), ("", "en"), ("en-GB", "en"), ("de", "de"), ("de-AT", "de"), ("DE_ch", "de"),
    ("fr-CA", "fr"), ("es-419", "es"), ("it", "it"), ("pt", "pt-BR"), ("pt_BR", "pt-BR"),
    ("ja-JP", "ja"), ("zh-Hans-CN", "zh-CN"), ("tlh", "en"), ("d", "en"), ("<script>", "en"),
    ("🇩🇪", "en"),
  ])
  func `follows the locale and falls back to English`(_ locale: String?, _ tag: String) {
    #expect(Language.best(for: locale).tag == tag)
  }

  @Test func `is noted on the message`() throws {
    let mailbox = try TestProject()
    try mailbox.capture(locale: "de-AT")
    let message = try #require(try mailbox.messages().first)
    #expect(message.locale == "de")
    #expect(message.subject == "Passwort für demo zurücksetzen")
  }
}
