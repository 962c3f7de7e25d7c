import Foundation
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
    let mail = draft.message(app: "demo-app", project: "p", in: .best(for: tag), at: now)
    #expect(mail.text.contains("\n\(draft.link)\n"))
    #expect(mail.text.contains("k0b-Code_"))
    #expect(mail.html.contains("href=\"\(HTML.escape(draft.link))\""))
    #expect(mail.html.contains(">\(HTML.escape(draft.link))</a>"))
    let direction = Language.best(for: tag).isRightToLeft ? " dir=\"rtl\"" : ""
    #expect(mail.html.contains("<html lang=\"\(tag)\"\(direction)>"))
    #expect(mail.subject.contains("demo-app"))
    #expect(mail.text.contains("demo-app"))
  }

  /// Outlook for Windows knows no `max-width`, and no padding of a link.
  @Test(arguments: cases)
  func `have widths and buttons that Outlook keeps`(_ type: MailType, _ tag: String) throws {
    let html = MailDraft.sample(type).message(
      app: "demo-app", project: "p", in: .best(for: tag), at: now
    ).html
    let tables = html.components(separatedBy: "<table ").dropFirst()
    #expect(tables.count == 4)
    for table in tables {
      let start = table.prefix { $0 != ">" }
      #expect(start.contains("cellpadding=\"0\" cellspacing=\"0\" border=\"0\""))
    }
    #expect(html.contains("<!--[if mso]><table role=\"presentation\" width=\"544\""))
    let button = try #require(tables.last)
    #expect(button.contains("bgcolor=\"#b0400c\"") && button.contains("mso-padding-alt:12px 20px"))
    #expect(button.contains("<a class=\"button\" href="))
    #expect(html.components(separatedBy: "</table>").count == tables.count + 1)
    #expect(
      html.components(separatedBy: "<![endif]-->").count
        == html.components(separatedBy: "<!--[if mso]>").count)
  }

  @Test(arguments: cases)
  func `name the addresses`(_ type: MailType, _ tag: String) {
    let mail = MailDraft.sample(type).message(
      app: "demo-app", project: "p", in: .best(for: tag), at: now)
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
    let html = draft.message(app: "<script>", project: "p", in: .best(for: tag), at: now).html
    #expect(!html.contains("<script"))
    #expect(!html.contains("alert('x')"))
    #expect(html.contains("&lt;script&gt;"))
  }

  @Test(arguments: Language.all.map(\.tag))
  func `use no words that mean something in HTML`(_ tag: String) {
    for type in MailType.allCases {
      let text = MailDraft.sample(type).message(
        app: "a", project: "p", in: .best(for: tag), at: now
      ).text
      let words = text.replacing(MailDraft.sample(type).link, with: "")
      #expect(!words.contains { "<>&\"'".contains($0) })
    }
  }

  @Test func `do not link to a script`() {
    let draft = MailDraft(
      type: .passwordReset, recipient: "a@b.c", email: "a@b.c", code: "c",
      link: "javascript:alert(1)")
    #expect(!draft.message(app: "demo", project: "p", in: .english, at: now).html.contains("href"))
  }
}

@Suite struct `A person's name` {
  private let now = Timestamp(seconds: 1_800_000_000)

  private func mail(to name: String?, app: String = "demo", _ tag: String = "en") -> Message {
    MailDraft(
      type: .passwordReset, recipient: "a@b.c", email: "a@b.c", displayName: name, code: "c",
      link: "http://host/"
    ).message(app: app, project: "demo", in: .best(for: tag), at: now)
  }

  @Test(arguments: Language.all.map(\.tag))
  func `is in the greeting of every language`(_ tag: String) {
    let greeted = mail(to: "Ann Otter", tag)
    let greeting = greeted.text.prefix { $0 != "\n" }
    #expect(greeting.contains("Ann Otter"))
    #expect(greeted.html.contains("Ann Otter"))
    let plain = mail(to: nil, tag).text
    #expect(
      plain.split(separator: "\n").dropFirst() == greeted.text.split(separator: "\n").dropFirst())
  }

  @Test(arguments: [
    ("Ann\r\nBcc: x", "Hello AnnBcc: x,"), ("\u{202E}nnA\u{2066}", "Hello nnA,"), ("", "Hello,"),
    ("\u{7}", "Hello,"), ("<b>Ann</b>", "Hello <b>Ann</b>,"), ("محمد 🚀", "Hello محمد 🚀,"),
    (String(repeating: "é", count: 200), "Hello \(String(repeating: "é", count: 100)),"),
  ])
  func `stays in its line`(_ name: String, _ line: String) {
    #expect(mail(to: name).text.hasPrefix(line + "\n\n"))
  }

  @Test func `is text in HTML, and keeps its direction`() {
    #expect(mail(to: "<b>Ann</b>").html.contains("Hello &lt;b&gt;Ann&lt;/b&gt;,"))
    #expect(mail(to: "محمد").html.contains("Hello <bdi>محمد</bdi>,"))
  }

  @Test func `of an app is in subject, text and sender`() {
    let mail = mail(to: nil, app: "Hearth & Söhne")
    #expect(mail.subject == "Reset your password for Hearth & Söhne")
    #expect(mail.text.contains("Your Hearth & Söhne team"))
    #expect(mail.html.contains(">Hearth &amp; Söhne</h1>"))
    #expect(mail.senderName == "Hearth & Söhne" && mail.sender == "noreply@demo.firebaseapp.com")
    #expect(self.mail(to: nil).senderName == nil)
  }
}

@Suite struct `A mail from right to left` {
  @Test(arguments: ["ar", "he"], MailType.allCases)
  func `keeps addresses and names apart from its words`(_ tag: String, _ type: MailType) {
    let mail = MailDraft.sample(type).message(
      app: "demo (test)", project: "p", in: .best(for: tag), at: Timestamp(seconds: 0))
    #expect(mail.html.contains("dir=\"rtl\""))
    #expect(mail.html.contains("<bdi>ada@example.com</bdi>"))
    #expect(mail.html.contains("<bdi>demo (test)</bdi>"))
    #expect(mail.html.contains("dir=\"ltr\""))
    #expect(mail.text.contains("\u{2068}ada@example.com\u{2069}"))
    #expect(mail.subject.contains("\u{2068}demo (test)\u{2069}"))
    #expect(mail.text.contains("\n\(MailDraft.sample(type).link)\n"))
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
    ("ja-JP", "ja"), ("zh-Hans-CN", "zh-CN"), ("ar-EG", "ar"), ("he", "he"), ("iw-IL", "he"),
    ("tlh", "en"), ("d", "en"), ("<script>", "en"),
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

  @Test(arguments: [
    (nil, nil, "en"), ("de", "fr", "de"), ("", "fr-CA, en;q=0.5", "fr"), ("tlh", "fr", "en"),
    (nil, "tlh, en;q=0.3, it;q=0.7", "it"), (nil, "de;q=0, es", "es"), (nil, "*, ,;q", "en"),
    (nil, "da, he ; q=0.8", "he"), (nil, "de;q=x", "de"),
  ])
  func `of a page is that of the link, else the browser's`(
    _ tag: String?, _ wishes: String?, _ expected: String
  ) {
    #expect(Language.best(for: tag, orAccepted: wishes).tag == expected)
  }
}
