import HearthTestSupport
import Testing

@testable import HearthSMTP

@Suite struct `An SMTP session` {
  private static let envelope = "MAIL FROM:<a@x.test>\r\nRCPT TO:<b@x.test>\r\n"

  @Test func `A mail from the greeting to the end`() {
    var client = Conversation()
    #expect(client.say("") == "220 localhost ESMTP Hearth\r\n")
    #expect(client.codes("EHLO me\r\n") == [250])
    #expect(client.codes("MAIL FROM:<a@x.test> SIZE=20 BODY=8BITMIME SMTPUTF8\r\n") == [250])
    #expect(client.codes("RCPT TO:<b@x.test> NOTIFY=NEVER\r\n") == [250])
    #expect(client.codes("RCPT TO:<c@x.test>\r\n") == [250])
    #expect(client.codes("DATA\r\n") == [354])
    #expect(client.say("Subject: x\r\n\r\n..dot\r\n.\r\n") == "250 2.0.0 Ok: queued as 7\r\n")
    #expect(client.codes("QUIT\r\n") == [221])
    #expect(client.isClosed)
    let mail = SmtpMail(
      sender: "a@x.test", recipients: ["b@x.test", "c@x.test"], user: nil,
      data: Array("Subject: x\r\n\r\n.dot\r\n".utf8))
    #expect(client.mails == [mail])
  }

  @Test func `What is offered`() {
    var plain = Conversation()
    _ = plain.say("")
    let offer = plain.say("EHLO [127.0.0.1]\r\n")
    for name in [
      "SIZE 26214400", "8BITMIME", "SMTPUTF8", "PIPELINING", "ENHANCEDSTATUSCODES",
      "AUTH PLAIN LOGIN CRAM-MD5 XOAUTH2",
    ] { #expect(offer.contains(name)) }
    #expect(!offer.contains("STARTTLS"))
    #expect(!plain.say("HELP\r\n").contains("STARTTLS"))
    #expect(plain.codes("STARTTLS\r\n") == [502])
    var secure = Conversation { $0.offersTLS = true }
    _ = secure.say("")
    #expect(secure.say("EHLO\r\n").contains("250-STARTTLS\r\n"))
    #expect(secure.say("HELP\r\n").contains(" STARTTLS "))
    #expect(secure.codes("STARTTLS\r\n") == [220])
    #expect(secure.beganTLS == 1)
    #expect(!secure.say("EHLO\r\n").contains("STARTTLS"))
    #expect(secure.codes("STARTTLS\r\n") == [503])
  }

  @Test func `Commands that come together are answered in their order`() {
    var client = Conversation()
    let codes = client.codes(
      "EHLO x\r\n" + Self.envelope + "DATA\r\n\(String(repeating: "x\r\n", count: 3)).\r\n"
        + "RSET\r\nNOOP\r\nVRFY a\r\nEXPN a\r\nHELP\r\nQUIT\r\n")
    #expect(codes == [220, 250, 250, 250, 354, 250, 250, 250, 252, 502, 214, 221])
  }

  @Test(arguments: [
    ("MAIL FROM:<a@b.c>", "a@b.c"), ("mail from: a@b.c", "a@b.c"), ("Mail From:<>", ""),
    ("MAIL FROM:<user>", "user"), ("MAIL FROM:< a@localhost >", "a@localhost"),
    ("MAIL FROM:<@relay,@b:a@b.c>", "a@b.c"), (#"MAIL FROM:<"a>b"@c>"#, #""a>b"@c"#),
    ("MAIL FROM:<ü@x.test> SMTPUTF8", "ü@x.test"), ("MAIL  FROM : <a@b.c>", "a@b.c"),
    (#"MAIL FROM:<a"b@c>"#, #"a"b@c"#),
  ])
  func `Addresses are read leniently`(line: String, address: String) {
    var client = Conversation()
    #expect(client.codes(line + "\r\n") == [220, 250])
    #expect(client.checks.last == "mail \(address)")
  }

  @Test(arguments: [
    ("MAIL\r\n", 501), ("MAIL TO:<a>\r\n", 501), ("MAIL FROM:\r\n", 501),
    ("MAIL FROM:<a\r\n", 501), ("MAIL FROM:<a\u{0}b@c>\r\n", 553),
    ("MAIL FROM:<a> SIZE=26214401\r\n", 552), ("MAIL FROM:<a> SIZE=99999999999999999999\r\n", 552),
    ("MAIL FROM:<a> SIZE=abc\r\n", 501), ("MAIL FROM:<a> SIZE=-1\r\n", 501),
    ("RCPT TO:<a@b>\r\n", 503), ("DATA\r\n", 503), ("AUTH\r\n", 501), ("AUTH GSSAPI\r\n", 504),
    ("BDAT 3\r\n", 500), ("\r\n", 500), ("MAIL FROM:<a>\r\nMAIL FROM:<b>\r\n", 503),
    ("MAIL FROM:<a>\r\nDATA\r\n", 554), ("MAIL FROM:<a>\r\nRCPT TO:<>\r\n", 553),
    ("MAIL FROM:<a>\r\nEHLO x\r\nDATA\r\n", 503), ("MAIL FROM:<a>\r\nRSET\r\nDATA\r\n", 503),
  ])
  func `What is refused`(text: String, code: Int) {
    var client = Conversation()
    #expect(client.codes(text).last == code)
    #expect(client.codes("NOOP\r\n") == [250])
  }

  @Test(arguments: [
    ("AUTH PLAIN AGRlbW8tYQBwYXNz\r\n", []), ("auth plain\r\n", ["AGRlbW8tYQBwYXNz\r\n"]),
    ("AUTH LOGIN\r\n", ["ZGVtby1h\r\n", "cGFzcw==\r\n"]),
    ("AUTH LOGIN ZGVtby1h\r\n", ["cGFzcw==\r\n"]),
    ("AUTH CRAM-MD5\r\n", ["ZGVtby1hIDAxMjM0NTY3ODlhYmNkZWY=\r\n"]),
    ("AUTH XOAUTH2 dXNlcj1kZW1vLWEBYXV0aD1CZWFyZXIgdAEB\r\n", []),
  ])
  func `Every password is right, and the user name counts`(first: String, more: [String]) {
    var client = Conversation()
    _ = client.say("EHLO x\r\n")
    var codes = client.codes(first)
    for line in more {
      #expect(codes == [334])
      codes = client.codes(line)
    }
    #expect(codes == [235])
    #expect(client.checks.last == "auth demo-a")
    #expect(client.codes("AUTH PLAIN AGEAYg==\r\n") == [503])
    _ = client.say(Self.envelope + "DATA\r\n.\r\n")
    #expect(client.mails.map(\.user) == ["demo-a"])
  }

  @Test(arguments: ["*", "%%%", "YQ=="])
  func `An exchange that fails ends, and the session goes on`(line: String) {
    var client = Conversation()
    _ = client.say("AUTH PLAIN\r\n")
    #expect(client.codes(line + "\r\n") == [501])
    #expect(client.codes("AUTH PLAIN AGEAYg==\r\n") == [235])
  }

  @Test func `Nothing that came before TLS counts or is read after it`() {
    var client = Conversation { $0.offersTLS = true }
    _ = client.say("EHLO x\r\nAUTH PLAIN AGEAYg==\r\nMAIL FROM:<a@b>\r\n")
    #expect(client.codes("STARTTLS\r\nRCPT TO:<evil@b>\r\nDATA\r\n") == [220])
    #expect(client.codes("RCPT TO:<b@b>\r\n") == [503])
    #expect(client.codes("AUTH PLAIN AGEAYg==\r\n") == [235])
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\n", "OPTIONS * HTTP/1.1\r\n", "Host: a\r\n",
    "PRI * HTTP/2.0\r\n", "POST /" + String(repeating: "a", count: 5000),
  ])
  func `A browser is cut off at its first line`(text: String) {
    var client = Conversation()
    _ = client.say("")
    #expect(client.say(text + "MAIL FROM:<a@b>\r\n") == "")
    #expect(client.isClosed)
  }

  @Test func `A handshake without STARTTLS is refused`() {
    var client = Conversation { $0.offersTLS = true }
    _ = client.say("")
    #expect(client.say([0x16, 0x03, 0x01, 0x00]).hasPrefix("500 5.5.1"))
    #expect(client.isClosed)
  }

  @Test func `Lines and mistakes have bounds`() {
    var client = Conversation()
    _ = client.say("")
    #expect(client.say(String(repeating: "x", count: 100_000)) == "")
    #expect(client.codes("\r\nNOOP\r\n") == [500, 250])
    #expect(
      client.codes("AUTH PLAIN\r\n" + String(repeating: "A", count: 9000) + "\r\n").count == 2)
    #expect(client.codes("AUTH PLAIN\r\n") == [334])
    #expect(client.codes(String(repeating: "A", count: 20_000) + "\r\nNOOP\r\n") == [500, 250])
    for _ in 0..<30 { _ = client.say("WHAT\r\n") }
    #expect(client.isClosed)
  }

  @Test func `Too many recipients are refused for now`() {
    var client = Conversation { $0.recipients = 2 }
    let lines = (1...3).map { "RCPT TO:<u\($0)@x.test>\r\n" }.joined()
    #expect(client.codes("MAIL FROM:<a>\r\n" + lines) == [220, 250, 250, 250, 452])
    #expect(client.codes("DATA\r\n.\r\n") == [354, 250])
  }

  @Test func `A mail that is too large is read to its end`() {
    var client = Conversation { $0.message = 10 }
    #expect(client.codes(Self.envelope + "DATA\r\n12345678\r\n.\r\n").last == 250)
    #expect(client.codes(Self.envelope + "DATA\r\n123456789\r\n.\r\n").last == 552)
    #expect(client.codes("NOOP\r\n") == [250])
    _ = client.say(Self.envelope + "DATA\r\n")
    #expect(client.codes(String(repeating: "x", count: 40)) == [552])
    #expect(client.isClosed)
  }

  @Test func `A mail without room is refused for now`() {
    var client = Conversation()
    _ = client.say(Self.envelope + "DATA\r\nhello")
    #expect(client.session.messageBytes == 5)
    client.session.refuseMessage()
    #expect(client.codes(" world\r\n.\r\n") == [452])
    #expect(client.session.messageBytes == 0)
    #expect(client.mails.isEmpty)
  }

  @Test func `A mail that cannot be kept is refused for now`() {
    var client = Conversation()
    client.result = .failure(SmtpRefusal("the disk is full"))
    #expect(client.say(Self.envelope + "DATA\r\n.\r\n").hasSuffix("451 4.3.0 the disk is full\r\n"))
    #expect(client.codes("NOOP\r\n") == [250])
  }

  @Test func `Silence and the end of the server end the session`() {
    var idle = Conversation()
    _ = idle.say("EHLO x\r\n")
    idle.session.timedOut()
    #expect(idle.listen().hasPrefix("421 4.4.2"))
    #expect(idle.isClosed)
    var stopped = Conversation()
    _ = stopped.say("EHLO x\r\n")
    stopped.session.stop()
    #expect(stopped.listen().hasPrefix("421 4.3.2"))
    #expect(stopped.isClosed)
  }

  @Test func `A mail that takes too long ends the session`() {
    var slow = Conversation()
    _ = slow.say(Self.envelope + "DATA\r\nSubject: x\r\n")
    slow.session.mailTimedOut()
    #expect(slow.listen().hasPrefix("421 4.4.2"))
    #expect(slow.isClosed && slow.mails.isEmpty)
    var other = Conversation()
    _ = other.say(Self.envelope)
    other.session.mailTimedOut()
    #expect(other.listen().isEmpty)
  }

  @Test func `A session that stops answers what is under way`() {
    var session = SmtpSession(SmtpOptions(), challenge: "")
    session.received(Array((Self.envelope + "DATA\r\nx\r\n.\r\nQUIT\r\n").utf8))
    var replies: [Int] = []
    while let action = session.next() {
      switch action {
      case .check: session.checked(.goesOn)
      case .reply(let reply): replies.append(reply.code)
      case .keep:
        session.stop()
        session.timedOut()
        session.sessionTimedOut()
        session.kept(.success("1"))
      default: break
      }
    }
    #expect(replies == [220, 250, 250, 354, 250, 421])
  }
}
