import HearthErrors
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `A mail that an app sends by itself` {
  private static let reset = """
    From: Shop <shop@example.com>
    To: Ada <ada@example.com>, bob@example.com
    Cc: eve@example.com
    Subject: Reset your password
    Message-ID: <m1@example.com>
    X-Tags: checkout
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: text/plain

    Your verification code is 123456.
    Reset your password: https://shop.example/reset?token=abc123def
    --b
    Content-Type: text/plain; name=notes.txt
    Content-Disposition: attachment; filename=notes.txt

    kept
    --b--
    """.replacing("\n", with: "\r\n")

  @Test func `is one message with all that is known of it`() async throws {
    let mailbox = try TestProject()
    let recipients = ["Ada@example.com", "bob@example.com", "eve@example.com", "zoe@example.com"]
    try mailbox.receive(
      Self.reset, to: recipients, tags: ["a"], metadata: JSONObject(["order": "7"]))
    let list = try await mailbox.perform(ListMessages.self).json["messages"]?.array ?? []
    let message = try #require(list.first)
    #expect(list.count == 1)
    let expected: [(String, JSON?)] = [
      ("source", "smtp"), ("to", "ada@example.com"), ("from", "shop@example.com"),
      ("fromName", "Shop"), ("type", "reset"), ("code", "123456"), ("oobCode", nil),
      ("link", "https://shop.example/reset?token=abc123def"), ("linkToken", "abc123def"),
      ("tags", ["a", "checkout"]), ("metadata", ["order": "7"]), ("read", false),
      ("delivery", ["state": "delivered"]), ("messageId", "m1@example.com"),
      ("defects", []), ("usedAt", nil), ("state", "pending"),
    ]
    for (name, value) in expected { #expect(message[name] == value, "\(name)") }
    #expect(message["envelope"]?["to"] == .strings(recipients))
    let groups = message["recipients"]
    let addresses = ["to", "cc", "bcc"].map { group in
      groups?[group]?.array?.compactMap { $0["address"]?.string }
    }
    #expect(
      addresses == [
        ["ada@example.com", "bob@example.com"], ["eve@example.com"], ["zoe@example.com"],
      ])
    let file = message["attachments"]?.array?.first
    #expect(file?["name"] == "notes.txt" && file?["id"] == 1 && file?["type"] == "text/plain")
  }

  @Test(arguments: ["ada@example.com", "BOB@example.com", "eve@example.com", "zoe@example.com"])
  func `is found under each recipient`(_ recipient: String) async throws {
    let mailbox = try TestProject()
    try mailbox.capture(to: "bob@example.com")
    try mailbox.receive(
      Self.reset, to: ["ada@example.com", "bob@example.com", "eve@example.com", "zoe@example.com"])
    try mailbox.receive(Self.reset, to: ["nobody@example.com"])
    let found = try await mailbox.perform(
      GetMessage.self, query: "to=\(recipient)", message: "latest")
    #expect(found.json["id"] == "2")
  }

  @Test func `wakes those who wait`() async throws {
    let mailbox = try TestProject()
    let outcome = try mailbox.begin(
      GetMessage.self, query: "to=bob@example.com&wait=10s", message: "latest")
    try mailbox.receive(Self.reset, to: ["ada@example.com", "bob@example.com"])
    let found = try await mailbox.finish(outcome)
    #expect(found.json["code"] == "123456")
  }

  @Test(arguments: [100, 100_000])
  func `comes back as it was sent, with what a mail server adds`(length: Int) async throws {
    let mailbox = try TestProject()
    let raw = Self.reset + "\r\n" + String(repeating: "x", count: length) + "\r\n"
    try mailbox.receive(raw, to: ["ada@example.com", "zoe@example.com"])
    for operation in [GetMessage.self, GetRawMail.self] as [any Operation.Type] {
      let name = operation is GetMessage.Type ? "1.eml" : "1"
      let answer = try await mailbox.perform(operation, message: name)
      guard case .bytes(let bytes, "message/rfc822") = answer.body else {
        Issue.record("no bytes")
        return
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasPrefix("Return-Path: <bounce@example.com>\r\nReceived: by hearth"))
      #expect(text.contains("\r\nBcc: zoe@example.com\r\n"))
      #expect(text.hasSuffix(raw))
    }
  }

  @Test func `hands out its attachments to be saved`() async throws {
    let mailbox = try TestProject()
    try mailbox.receive(Self.reset, to: ["ada@example.com"])
    let answer = try await mailbox.attachment("1", of: "1")
    guard case .bytes(let bytes, "text/plain") = answer.body else {
      Issue.record("no bytes")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("kept"))
    #expect(answer.header("Content-Disposition") == "attachment; filename*=UTF-8''notes.txt")
    #expect(answer.header("X-Content-Type-Options") == "nosniff")
    #expect(answer.header("Content-Security-Policy") == "default-src 'none'; sandbox")
    for missing in ["2", "x", "0"] {
      await #expect(throws: APIError.self) { try await mailbox.attachment(missing, of: "1") }
    }
  }

  @Test func `is shown without what could do harm`() async throws {
    let mailbox = try TestProject()
    try mailbox.receive(
      "Subject: x\r\nContent-Type: text/html\r\n\r\n<p onclick=a()>hi<script>b()</script>"
        + "<img src='https://e.test/x.png'></p>", to: ["ada@example.com"])
    let hidden = try await mailbox.perform(GetSafeHTML.self, message: "1")
    #expect(hidden.text.contains("hi") && !hidden.text.contains("script"))
    #expect(!hidden.text.contains("onclick") && !hidden.text.contains("e.test"))
    #expect(hidden.text.contains("<meta name=\"hidden-pictures\" content=\"1\">"))
    let policy = hidden.header("Content-Security-Policy")
    #expect(policy.contains("img-src 'self' data:;") && !policy.contains("allow-scripts"))
    let shown = try await mailbox.perform(GetSafeHTML.self, query: "images=1", message: "1")
    #expect(shown.text.contains("https://e.test/x.png"))
    #expect(shown.text.contains("<meta name=\"hidden-pictures\" content=\"0\">"))
  }

  @Test func `goes with all its parts`() async throws {
    let mailbox = try TestProject()
    for _ in 1...3 { try mailbox.receive(Self.reset, to: ["ada@example.com", "bob@example.com"]) }
    _ = try await mailbox.perform(DeleteMessage.self, message: "1")
    #expect(try mailbox.partCounts() == [2, 2])
    _ = try await mailbox.perform(ClearMessages.self, query: "to=bob@example.com&after=2")
    #expect(try mailbox.partCounts() == [1, 1])
    _ = try await mailbox.perform(ClearMessages.self)
    #expect(try mailbox.partCounts() == [0, 0])
  }

  @Test func `makes room for newer ones where it is large`() async throws {
    let mailbox = try TestProject(mailboxBytes: 1 << 20)
    try mailbox.capture()
    // Text that does not become smaller.
    var random: UInt64 = 1
    let noise = (0..<300_000).map { _ -> Character in
      random = random &* 6_364_136_223_846_793_005 &+ 1
      return Character(Unicode.Scalar(UInt8(33 + random >> 33 % 90)))
    }
    for _ in 1...5 {
      try mailbox.receive("Subject: x\r\n\r\n\(String(noise))", to: ["ada@example.com"])
    }
    let ids = try mailbox.messages().map(\.id)
    #expect(ids.first == 1 && ids.last == 6 && ids.count < 6)
  }

  @Test func `is used with the code that its link has`() async throws {
    let mailbox = try TestProject()
    try mailbox.receive(
      "Subject: Reset your password\r\n\r\nReset: http://h.test/action?mode=resetPassword&oobCode=c0deC0DE12\r\n",
      to: ["ada@example.com"])
    try mailbox.use("c0deC0DE12")
    #expect(try mailbox.messages().first?.usedAt != nil)
  }
}

@Suite struct `Rules of a project for its mails` {
  @Test func `win over what is found by itself`() async throws {
    let mailbox = try TestProject()
    let body: JSON = [
      "rules": [["match": ["subject": "Your order"], "code": "Ticket ([A-Z]+)"]]
    ]
    _ = try await mailbox.put(ReplaceMailRules.self, body: body)
    try mailbox.receive(
      "Subject: Your order\r\n\r\nTicket KLM, code 123456\r\n", to: ["ada@example.com"])
    #expect(try mailbox.messages().first?.code == "KLM")
    #expect(
      try await mailbox.perform(GetMailRules.self).json["rules"]?.array == body["rules"]?.array)
    _ = try await mailbox.put(ReplaceMailRules.self, body: ["rules": []])
    #expect(try await mailbox.perform(GetMailRules.self).json == JSONObject(["rules": []]))
  }

  @Test(
    arguments: [
      ["rule": []], ["rules": [["code": "("]]], ["rules": [["match": ["from": "a"]]]],
      ["rules": [["code": 7]]], ["rules": [["code": "a", "match": ["body": "x"]]]],
      ["rules": ["a"]], ["rules": [["code": "(?=a)b"]]], ["rules": [["link": "(a)\\1"]]],
    ] as [JSON])
  func `are refused where they cannot be used`(_ body: JSON) async throws {
    let mailbox = try TestProject()
    await #expect(throws: APIError.self) {
      try await mailbox.put(ReplaceMailRules.self, body: body)
    }
  }
}

@Suite struct `A message` {
  @Test func `is read and tagged`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    #expect(try await mailbox.perform(MarkRead.self, message: "1").json["read"] == true)
    #expect(try await mailbox.perform(MarkUnread.self, message: "1").json["read"] == false)
    let changed = try await mailbox.patch("1", body: ["tags": ["a", "b", "a"], "read": true])
    #expect(changed.json["tags"] == ["a", "b"] && changed.json["read"] == true)
    let kept = try await mailbox.perform(GetMessage.self, message: "1")
    #expect(kept.json == changed.json)
    for body in [["tags": "a"], ["tags": [""]], ["read": "yes"], ["subject": "x"]] as [JSON] {
      await #expect(throws: APIError.self) { try await mailbox.patch("1", body: body) }
    }
    await #expect(throws: APIError.self) { try await mailbox.patch("7", body: ["read": true]) }
  }

  @Test func `that is not sent is seen, and not waited for`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(code: "sent")
    try mailbox.capture(code: "link", isSent: false)
    let all = try await mailbox.perform(ListMessages.self)
    #expect(all.ids == ["1", "2"])
    #expect(all.json["messages"]?.array?.last?["delivery"] == ["state": "notSent"])
    for query in ["", "wait=1s", "delivery=sent"] {
      let latest = try await mailbox.perform(GetMessage.self, query: query, message: "latest")
      #expect(latest.json["oobCode"] == "sent", "\(query)")
    }
    for query in ["delivery=notSent", "delivery=any"] {
      let latest = try await mailbox.perform(GetMessage.self, query: query, message: "latest")
      #expect(latest.json["oobCode"] == "link", "\(query)")
    }
  }
}
