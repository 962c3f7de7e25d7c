import HearthErrors
import HearthTime
import HearthWire
import Testing

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
}
