import HearthErrors
import HearthMailbox
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `Searching messages` {
  /// 1 an order with a file, from the shop · 2 a code · 3 a reset of Auth · 4 a bounce.
  private func filled() async throws -> TestProject {
    let mailbox = try TestProject()
    try mailbox.receive(
      """
      From: Shop <shop@example.com>\r
      To: Ada Lovelace <ada@example.com>\r
      Cc: eve@example.com\r
      Subject: Your order ÄPFEL\r
      Content-Type: multipart/mixed; boundary=b\r
      \r
      --b\r
      \r
      100% fresh apples\r
      --b\r
      Content-Disposition: attachment; filename=invoice.pdf\r
      Content-Type: application/pdf\r
      \r
      \(String(repeating: "x", count: 3000))\r
      --b--\r

      """, to: ["ada@example.com", "eve@example.com", "hidden@example.com"], tags: ["Shop"])
    mailbox.clock.advance(by: .seconds(86_400))
    try mailbox.receive(
      "From: auth@example.com\r\nSubject: Sign in\r\n\r\nYour verification code is 123456\r\n",
      to: ["bob@example.com"], source: .resend)
    try mailbox.capture(.passwordReset, to: "cat@example.com", code: "c0de")
    try mailbox.receive(
      "Subject: lost\r\n\r\nhello\r\n", to: ["gone@example.com"], source: .ses,
      delivery: MailDelivery(.bounced, code: 550))
    _ = try await mailbox.perform(MarkRead.self, message: "2")
    return mailbox
  }

  @Test(arguments: [
    ("apples", ["1"]), ("APPLES fresh", ["1"]), ("\"fresh apples\"", ["1"]),
    ("\"apples fresh\"", []), ("äpfel", ["1"]), ("invoice", ["1"]), ("lovelace", ["1"]),
    ("100%25", ["1"]), ("_", []), ("-apples", ["2", "3", "4"]), ("!apples -lost", ["2", "3"]),
    ("from:shop", ["1"]), ("from:Shop", ["1"]), ("-from:shop", ["2", "3", "4"]),
    ("to:ada", ["1"]), ("to:\"Ada Lovelace\"", ["1"]), ("to:cat@example.com", ["3"]),
    ("to:hidden", []), ("bcc:hidden", ["1"]), ("cc:eve", ["1"]), ("-cc:eve", ["2", "3", "4"]),
    ("subject:\"sign in\"", ["2"]), ("tag:shop", ["1"]), ("is:tagged", ["1"]),
    ("is:read", ["2"]), ("is:unread", ["1", "3", "4"]), ("has:attachment", ["1"]),
    ("-has:attachment", ["2", "3", "4"]), ("has:link", ["3"]), ("has:code", ["2", "3"]),
    ("after:2027-01-16", ["2", "3", "4"]), ("before:2027-01-16", ["1"]),
    ("after:2027-01-16T08:00:01Z", []), ("larger:3k -source:auth", ["1"]),
    ("smaller:200", ["2", "4"]),
    ("source:smtp", ["1"]), ("source:auth", ["3"]), ("-source:auth", ["1", "2", "4"]),
    ("type:password_reset", ["3"]), ("state:bounced", ["4"]),
    ("state:pending -state:bounced", ["1", "2", "3"]), ("code:123456", ["2"]), ("code:c0de", ["3"]),
    ("link:oobCode", ["3"]), ("https://none.test", []), ("", ["1", "2", "3", "4"]),
  ])
  func `finds what all terms describe`(_ search: String, _ ids: [String]) async throws {
    let answer = try await filled().perform(
      ListMessages.self, query: "q=" + search.replacing("\"", with: "%22").replacing(" ", with: "+")
    )
    #expect(answer.ids == ids)
  }

  @Test func `counts for the latest, a wait and for deleting too`() async throws {
    let mailbox = try await filled()
    let latest = try await mailbox.perform(
      GetMessage.self, query: "q=verification", message: "latest")
    #expect(latest.json["id"] == "2")
    let outcome = try mailbox.begin(
      GetMessage.self, query: "q=subject:new&wait=10s", message: "latest")
    try mailbox.receive("Subject: New\r\n\r\nx", to: ["ada@example.com"])
    #expect(try await mailbox.finish(outcome).json["id"] == "5")
    _ = try await mailbox.perform(ClearMessages.self, query: "q=-source:auth")
    #expect(try mailbox.messages().map(\.id) == [3])
  }

  @Test(arguments: [
    ("foo:bar", "unknown operator \"foo:\""), ("from:", "\"from:\" needs a value"),
    ("is:great", "unknown \"is:great\""), ("has:wings", "unknown \"has:wings\""),
    ("after:soon", "\"after:\" needs a day"), ("larger:big", "\"larger:\" needs a number"),
    ("source:fax", "unknown source"), ("type:x", "unknown type"), ("state:x", "unknown state"),
    ("%22open", "is not closed"),
  ])
  func `refuses what it does not understand`(_ search: String, _ words: String) async throws {
    let mailbox = try TestProject()
    let error = await #expect(throws: APIError.self) {
      try await mailbox.perform(ListMessages.self, query: "q=" + search)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
