import HearthMailbox
import HearthSMTP
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthObservation
@testable import HearthServer

@Suite struct `Faults of mail` {
  private static func faults(_ rules: JSON...) throws -> MailFaults {
    let faults = Faults(.ofServer)
    try faults.replace("demo-a", with: .members(["faults": .array(rules)]))
    return MailFaults(faults: faults, clock: ManualClock())
  }

  private static func rule(
    _ operation: String, effect: JSON, email: String? = nil
  ) -> JSON {
    .members(["operation": .string(operation), "effect": effect, "email": email.json])
  }

  @Test(arguments: [
    ("bounce@x.test", true), ("BOUNCE@y.test", true), ("a@full.test", false), ("", false),
  ])
  func `An address may be a pattern`(address: String, isRefused: Bool) async throws {
    let faults = try Self.faults(
      Self.rule("mail.deliver", effect: ["status": 550], email: "bounce@*"))
    let verdict = await faults.verdict(on: .deliver, in: "demo-a", address: address)
    #expect((verdict != .goesOn) == isRefused)
    #expect(await faults.verdict(on: .deliver, in: "demo-b", address: address) == .goesOn)
  }

  @Test func `A refusal has its own text or the usual one`() async throws {
    let faults = try Self.faults(
      Self.rule("smtp.rcpt", effect: ["status": 552, "text": "5.2.2 Full"], email: "full@x.test"),
      Self.rule("smtp.rcpt", effect: ["status": 550]),
      Self.rule("smtp.mail", effect: ["status": 450]),
      Self.rule("smtp.end", effect: ["error": "UNAVAILABLE"]))
    func verdict(_ stage: SmtpStage, address: String) async -> MailFaults.Verdict {
      await faults.verdict(on: .smtp(stage), in: "demo-a", address: address)
    }
    #expect(
      await verdict(.rcpt, address: "full@x.test") == .refused(status: 552, text: "5.2.2 Full"))
    #expect(
      await verdict(.rcpt, address: "a@x.test")
        == .refused(status: 550, text: "5.1.1 <a@x.test> Recipient address rejected"))
    #expect(
      await verdict(.mail, address: "a@x.test")
        == .refused(status: 450, text: "4.3.0 a@x.test Try again later"))
    guard case .refused(451, let text) = await verdict(.end, address: "") else {
      Issue.record("an error is a refusal for now")
      return
    }
    #expect(text.hasPrefix("4.3.0 "))
  }

  @Test func `A connection can be dropped before and after`() async throws {
    let faults = try Self.faults(
      Self.rule("smtp.data", effect: ["drop": "before"]),
      Self.rule("smtp.end", effect: ["drop": "after"]))
    #expect(await faults.verdict(on: .smtp(.data), in: "demo-a", address: nil) == .dropped)
    #expect(await faults.verdict(on: .smtp(.end), in: "demo-a", address: nil) == .lost)
  }

  @Test func `Each recipient has an answer`() async throws {
    let faults = try Self.faults(
      Self.rule("mail.deliver", effect: ["status": 452, "text": "4.2.2 Full"], email: "full@*"),
      Self.rule("mail.deliver", effect: ["status": 550, "text": "5.1.1 None"], email: "none@*"),
      Self.rule("mail.deliver", effect: ["drop": "before"], email: "lost@*"))
    let some = await faults.replies(to: ["full@x.test", "a@x.test", "none@x.test"], in: "demo-a")
    #expect(some.accepted == ["a@x.test"])
    #expect(some.refused.map(\.address) == ["full@x.test", "none@x.test"])
    #expect(some.delivery == MailDelivery(.bounced, code: 550, text: "5.1.1 None"))
    let lost = await faults.replies(to: ["a@x.test", "lost@x.test"], in: "demo-a")
    #expect(lost.connectionEnd == .beforeKeeping)
    let others = await faults.replies(to: ["none@x.test"], in: "demo-b")
    #expect(others == RecipientReplies(accepted: ["none@x.test"]))
  }

  @Test func `Every stage is an operation`() {
    for stage in SmtpStage.allCases {
      #expect(FaultTargets.ofServer.hasMatch(FaultPattern(text: "smtp.\(stage.rawValue)")))
    }
    #expect(FaultTargets.ofServer.hasMatch(FaultPattern(text: "mailApi.postmark")))
    #expect(FaultTargets.ofServer.hasMatch(FaultPattern(text: "mail.deliver")))
    #expect(FaultTargets.ofServer.near(FaultPattern(text: "smtp.rcp")).contains("smtp.rcpt"))
  }
}
