import HearthCrypto
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@testable import HearthSMSAPI

struct SMSAPITests {
  @Test(arguments: [
    ("+49 151 (123) 456-78", "+4915112345678"), ("004915112345678", "+4915112345678"),
    ("4915112345678", "+4915112345678"), ("whatsapp:+4915112345678", "+4915112345678"),
    ("12345", "12345"), ("Acme", "Acme"),
  ])
  func `Numbers have one form`(_ given: String, _ normal: String) {
    #expect(PhoneNumbers.normal(given) == normal)
  }

  @Test func `No body brings a gateway down`() async {
    var random = SplitMix(seed: 31)
    let context = SMSContext(
      state: SMSState(), defaultProject: "demo", hex: { String(repeating: "a", count: $0) },
      digits: { String(repeating: "1", count: $0) }, now: { _ in Timestamp(seconds: 0) },
      machineTime: { Timestamp(seconds: 0) },
      date: { "" },
      project: { _ in "demo" },
      deliver: { _ in SMSContext.Kept(project: "demo", message: 1) })
    let pieces = [
      "{", "}", "[", "]", "\"to\"", ":", ",", "\"+4915112345678\"", "\"text\"", "To=", "&", "%",
      "Body=", "9", "null", "\"workflow\"", "\u{FFFD}", "<", "Action=Publish", "=",
    ]
    for row in SMSRoutes.all {
      let path = row.template.description.replacing("{", with: "").replacing("}", with: "")
      for _ in 0..<200 {
        let body = (0..<Int(random.next() % 12)).map { _ in
          pieces[Int(random.next() % UInt64(pieces.count))]
        }.joined()
        let call = SMSCall(
          method: row.method, path: path[...], query: "", headers: ["authorization": "Bearer k"],
          body: Array(body.utf8))
        let reply = await SMSRoutes.answer(call, context: context)
        #expect(reply.map { $0.status < 500 } == true, "\(row.template.description) \(body)")
      }
    }
  }
}

struct VerificationTests {
  @Test func `Guesses that come at once count one after the other`() async {
    let state = SMSState()
    let start = Timestamp(seconds: 1_000)
    state.note(
      SMSContext.Kept(project: "demo", message: 1),
      of: Verification(
        id: "one", owner: SMSOwner(project: "demo", isNamed: false), service: "twilio",
        to: "+4915112345678", code: "123456", createdAt: start,
        expiresAt: start + .seconds(600)))
    let wrong = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask {
          guard case .wrong = state.guess("000000", of: "one", most: 5, at: start) else {
            return false
          }
          return true
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(wrong == 5)
    guard case .tooMany = state.guess("123456", of: "one", most: 5, at: start) else {
      Issue.record("the sixth guess counts")
      return
    }
  }
}
