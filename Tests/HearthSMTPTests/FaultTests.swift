import Testing

@testable import HearthSMTP

@Suite struct `Faults of an SMTP session` {
  private static let all =
    "EHLO x\r\nAUTH PLAIN AGEAYg==\r\nMAIL FROM:<a@b>\r\nRCPT TO:<b@b>\r\nDATA\r\nx\r\n.\r\n"

  @Test func `Every stage is asked about, with its address`() {
    var client = Conversation()
    _ = client.say(Self.all)
    #expect(
      client.checks == [
        "connect -", "ehlo x", "auth a", "mail a@b", "rcpt b@b", "data a@b", "end a@b",
      ])
  }

  @Test(arguments: [
    (SmtpStage.ehlo, [220, 450, 235, 250, 250, 354, 250]),
    (.auth, [220, 250, 450, 250, 250, 354, 250]),
    (.rcpt, [220, 250, 235, 250, 450, 554, 500, 500]),
    (.end, [220, 250, 235, 250, 250, 354, 450]),
    (.connect, [450]),
  ])
  func `A refusal takes the place of the reply`(stage: SmtpStage, codes: [Int]) {
    var client = Conversation()
    client.verdicts[stage] = .refused(SmtpReply(refusing: 450, text: "later"))
    #expect(client.codes(Self.all) == codes)
    #expect(client.isClosed == (stage == .connect))
    #expect(client.mails.isEmpty == [.end, .rcpt, .connect].contains(stage))
  }

  @Test(arguments: SmtpStage.allCases)
  func `A connection that is dropped hears nothing more`(stage: SmtpStage) {
    for verdict in [SmtpSession.Verdict.dropped, .lost] {
      var client = Conversation { $0.offersTLS = true }
      client.verdicts[stage] = verdict
      let heard = client.codes(Self.all.replacing("EHLO x", with: "EHLO x\r\nSTARTTLS"))
        .count
      if stage != .starttls { _ = client.codes(Self.all) }
      #expect(client.isClosed, "\(stage)")
      #expect(heard < 9)
      #expect(client.mails.count == (stage == .end && verdict == .lost ? 1 : 0))
    }
  }

  @Test func `421 ends the connection`() {
    var client = Conversation()
    client.verdicts[.mail] = .refused(SmtpReply(refusing: 421, text: "4.3.2 restarting"))
    #expect(client.say("MAIL FROM:<a>\r\nNOOP\r\n").hasSuffix("421 4.3.2 restarting\r\n"))
    #expect(client.isClosed)
  }

  @Test func `A text cannot end its line`() {
    let reply = SmtpReply(refusing: 550, text: "no\r\n250 yes")
    #expect(String(decoding: reply.bytes, as: UTF8.self) == "550 5.0.0 no250 yes\r\n")
  }
}
