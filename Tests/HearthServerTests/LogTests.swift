import HearthErrors
import HearthTime
import HearthWire
import Testing

@testable import HearthObservation
@testable import HearthServer

@Suite struct `The log of requests` {
  private func call(
    _ project: String, body: Int = 0, isConsole: Bool = false
  ) -> AnsweredCall {
    var call = AnsweredCall(
      project: project, method: "POST", path: "/path", operation: "an.operation", status: 200,
      duration: .zero, error: nil, body: Array(repeating: UInt8(ascii: "1"), count: body))
    call.isConsole = isConsole
    return call
  }

  private static let bound = 32 << 20
  private let now = Timestamp(seconds: 1_800_000_000)

  @Test func `is bounded in bytes, of which each project has a share`() {
    let log = RequestLog(bytes: Self.bound)
    for number in 0..<20_000 {
      log.add(call("demo-\(number / 500)", body: 8000), at: now, machineTime: now)
      #expect(log.bytes <= Self.bound)
    }
    #expect(log.entries(of: "demo-39").last?.id == 20_000)
    for number in 0..<40 {
      let kept = log.entries(of: "demo-\(number)")
      #expect((40...500).contains(kept.count))
    }
  }

  @Test func `takes the first explanation of a call that goes on, within its bounds`() {
    let log = RequestLog(bytes: Self.bound)
    let id = log.add(call("demo-a"), at: now, machineTime: now)
    let before = log.bytes
    log.explain(id, of: "demo-a", explanation: "{\"missing\":[]}")
    log.explain(id, of: "demo-a", explanation: "another one")
    log.explain(id + 1, of: "demo-a", explanation: "of no call")
    log.explain(
      log.add(call("demo-b"), at: now, machineTime: now), of: "demo-a", explanation: "of another")
    #expect(log.entry(id, of: "demo-a")?.call.explanation == "{\"missing\":[]}")
    #expect(log.entries(of: "demo-b").first?.call.explanation == nil)
    log.clear("demo-b")
    #expect(log.bytes == before + 14)
    for _ in 0..<6000 {
      let id = log.add(call("demo-a", body: 8000), at: now, machineTime: now)
      log.explain(id, of: "demo-a", explanation: String(repeating: "x", count: 60_000))
      #expect(log.bytes <= Self.bound)
    }
  }

  @Test func `gives its memory back when it is cleared`() {
    let log = RequestLog(bytes: Self.bound)
    for _ in 0..<100 { log.add(call("demo-a", body: 8000), at: now, machineTime: now) }
    log.add(call("demo-b"), at: now, machineTime: now)
    log.clear("demo-a")
    #expect(log.bytes < 1000)
  }

  @Test func `knows which project was used last, by the machine's time`() {
    let log = RequestLog(bytes: Self.bound)
    let later = now + .seconds(5)
    log.add(call("demo-a"), at: Timestamp(seconds: 0), machineTime: now)
    log.add(call("demo-b"), at: now, machineTime: later)
    log.add(call("demo-a", isConsole: true), at: now, machineTime: later)
    #expect(log.activity().map(\.project) == ["demo-b", "demo-a"])
    #expect(log.activity().map(\.time) == [later, now])
  }

  @Test(arguments: [
    (
      #"{"password":"secret-1"}"#, "WEAK_PASSWORD : secret-1 is weak",
      "WEAK_PASSWORD : (hidden) is weak"
    ),
    (#"{"password":["secret-1"]}"#, "/password: secret-1", "/password: (hidden)"),
    (#"{"email":"a@b.c"}"#, "WEAK_PASSWORD : a@b.c", "WEAK_PASSWORD : a@b.c"),
    ("password=secret-1", "WEAK_PASSWORD : secret-1", "WEAK_PASSWORD"),
    ("", "WEAK_PASSWORD : why", "WEAK_PASSWORD : why"),
  ])
  func `repeats no secret in a reason`(_ body: String, _ reason: String, _ shown: String) {
    let log = RequestLog(bytes: Self.bound)
    var call = AnsweredCall(
      project: "demo", method: "POST", path: "/path", operation: "an.operation", status: 400,
      duration: .zero, error: .weakPassword, body: Array(body.utf8))
    call.reason = reason
    log.add(call, at: now, machineTime: now)
    let entry = log.entries(of: "demo").first?.json(isWhole: false)
    #expect(entry?["reason"] == .string(shown))
  }

  private static let secrets = [
    "sessionInfo", "pendingToken", "oobCode", "mfaPendingCredential", "assertion",
    "client_assertion", "subject_token", "subjectToken", "access_token", "accessToken",
    "private_key", "privateKeyData", "id_token", "refresh_token", "code_verifier", "signedJwt",
    "temporaryProof", "sharedSecretKey", "clientSecret", "newPassword",
  ]

  @Test(arguments: secrets) func `shows no credential`(_ name: String) {
    let log = RequestLog(bytes: Self.bound)
    var call = AnsweredCall(
      project: "demo", method: "POST", path: "/path", operation: "an.operation", status: 400,
      duration: .zero, error: .invalidArgument,
      body: Array(#"{"info":[{"\#(name)":"cr3d"}],"email":"a@b.c"}"#.utf8))
    call.query = "\(name)=cr3d"
    call.reason = "bad cr3d"
    call.response = Array(#"{"\#(name)":"n3w","message":"bad cr3d"}"#.utf8)
    log.add(call, at: now, machineTime: now)
    let text = log.entries(of: "demo").first?.json(isWhole: true).text ?? ""
    #expect(text.contains("a@b.c") && text.contains("(hidden)"))
    #expect(!text.contains("cr3d") && !text.contains("n3w"), "\(text)")
  }

  /// Token endpoints take forms.
  @Test func `shows neither a form nor its answer`() {
    let log = RequestLog(bytes: Self.bound)
    var call = AnsweredCall(
      project: "demo", method: "POST", path: "/token", operation: "google.token", status: 200,
      duration: .zero, error: nil, body: Array("grant_type=x&assertion=cr3d".utf8))
    call.response = Array(#"{"scope":"cr3d"}"#.utf8)
    log.add(call, at: now, machineTime: now)
    #expect(log.entries(of: "demo").first?.json(isWhole: true).text.contains("cr3d") == false)
  }
}
