import HearthErrors
import HearthMailbox
import HearthOperations
import HearthPages
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `The mailbox page` {
  @Test func `lists the newest first with their state`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(to: "first@example.com", code: "one")
    try mailbox.capture(to: "second@example.com", code: "two")
    try mailbox.inProject { (project) throws(APIError) in
      try Mailbox(in: project).noteUse(
        ofCode: "one", type: "PASSWORD_RESET", sentTo: "first@example.com", at: mailbox.clock.now)
    }
    let html = try await mailbox.perform(MailboxPage.List.self).text
    let second = try #require(html.firstRange(of: "second@example.com"))
    let first = try #require(html.firstRange(of: "first@example.com"))
    #expect(second.lowerBound < first.lowerBound)
    #expect(html.contains("data-state=\"used\">used</span></td>"))
    #expect(html.contains("data-state=\"pending\">pending</span></td>"))
    #expect(html.contains("<a href=\"/mailbox/2?project=demo\">"))
    #expect(html.contains("http-equiv=\"refresh\""))
    mailbox.clock.advance(by: .seconds(60))
    #expect(
      try await mailbox.perform(MailboxPage.List.self).text.contains(
        "data-state=\"expired\">expired</span></td>"))
  }

  @Test func `says of a link that it was not sent, and nothing of a mail without a code`()
    async throws
  {
    let mailbox = try TestProject()
    try mailbox.receive("From: a@x.test\n\nHello.", to: ["bob@x.test"])
    let empty = try await mailbox.perform(MailboxPage.List.self).text
    #expect(empty.contains("<bdi>(no subject)</bdi></a>"))
    #expect(!empty.contains("class=\"tag\""))
    let page = try await mailbox.perform(MailboxPage.Show.self, message: "1").text
    #expect(page.contains("<h1><bdi>(no subject)</bdi></h1>"))
    #expect(!page.contains("class=\"tag\""))
    try mailbox.capture(isSent: false)
    let html = try await mailbox.perform(MailboxPage.List.self).text
    #expect(html.contains("data-state=\"notSent\">not sent</span></td>"))
    #expect(!html.contains("<span class=\"tag\" data-state=\"pending\">"))
  }

  @Test func `reloads by itself only as long as one likes`() async throws {
    let html = try await TestProject().perform(MailboxPage.List.self, query: "refresh=off").text
    #expect(!html.contains("http-equiv=\"refresh\""))
    #expect(html.contains("No mail yet."))
  }

  @Test func `shows the project that is asked for`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(to: "bob@example.com", in: "demo-other")
    #expect(try await !mailbox.perform(MailboxPage.List.self).text.contains("bob@example.com"))
    let html = try await mailbox.perform(MailboxPage.List.self, query: "project=demo-other").text
    #expect(html.contains("bob@example.com"))
    let view = try await mailbox.perform(
      MailboxPage.Show.self, query: "project=demo-other", message: "1")
    #expect(view.status == 200)
    #expect(try await mailbox.perform(MailboxPage.Show.self, message: "1").status == 404)
  }

  @Test func `shows link, code, text and the mail in a frame that cannot run anything`()
    async throws
  {
    let mailbox = try TestProject()
    try mailbox.capture(code: "abc-123")
    let message = try #require(try mailbox.messages().first)
    let answer = try await mailbox.perform(MailboxPage.Show.self, message: "1")
    let html = answer.text
    let link = HTML.escape(try #require(message.link))
    #expect(html.contains("href=\"\(link)\""))
    #expect(html.contains("value=\"abc-123\""))
    #expect(html.contains("<pre dir=\"auto\">\(HTML.escape(message.text))</pre>"))
    #expect(html.contains("sandbox=\"allow-popups allow-popups-to-escape-sandbox\""))
    #expect(html.contains("srcdoc=\"&lt;!doctype html&gt;"))
    #expect(html.contains("/emulator/v1/projects/demo/messages/1.eml"))
  }

  @Test func `lets only its own script run`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    let answer = try await mailbox.perform(MailboxPage.Show.self, message: "1")
    let policy = answer.header("Content-Security-Policy")
    #expect(policy.hasPrefix("default-src 'none'; "))
    let nonce = try #require(policy.split(separator: "'nonce-").last?.prefix { $0 != "'" })
    #expect(nonce.count == 22)
    #expect(answer.text.contains("<script nonce=\"\(nonce)\">"))
    let list = try await mailbox.perform(MailboxPage.List.self)
    #expect(list.header("Content-Security-Policy").contains("script-src 'none'"))
  }

  @Test func `renders harmless what a caller sent`() async throws {
    let mailbox = try TestProject()
    let hostile = "\"><script>alert(1)</script>@example.com"
    let project = "demo\"><script>alert(2)</script>"
    try mailbox.capture(to: hostile, in: project)
    let query = FormFields([.init(name: "project", value: project)]).text
    let list = try await mailbox.perform(MailboxPage.List.self, query: query).text
    let view = try await mailbox.perform(MailboxPage.Show.self, query: query, message: "1").text
    let missing = try await mailbox.perform(
      MailboxPage.Show.self, query: query, message: "<script>alert(3)"
    ).text
    for html in [list, view, missing] {
      #expect(!html.contains("<script>"))
      #expect(!html.contains("demo\">"))
    }
  }

  @Test func `says that a message was not found`() async throws {
    let answer = try await TestProject().perform(MailboxPage.Show.self, message: "x")
    #expect(answer.status == 404)
    #expect(answer.text.contains("Project <bdi>demo</bdi> has no message <bdi>x</bdi>."))
  }
}
