import HearthErrors
import HearthMailbox
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The latest message` {
  @Test func `is the newest that matches`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(.passwordReset)
    try mailbox.capture(.verifyEmail)
    let latest = try await mailbox.perform(GetMessage.self, message: "latest").json
    #expect(latest["id"] == "2")
    let reset = try await mailbox.perform(
      GetMessage.self, query: "type=PASSWORD_RESET&to=ADA@example.com", message: "latest")
    #expect(reset.json["id"] == "1")
  }

  @Test func `is missed at once when nobody waits`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    await #expect(
      throws: APIError(.notFound, detail: "no message to x@y.z after 1 in project demo")
    ) {
      try await mailbox.perform(GetMessage.self, query: "to=x@y.z&after=1", message: "latest")
    }
  }

  @Test func `is there without waiting when it came before`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    let answer = try await mailbox.perform(GetMessage.self, query: "wait=10s", message: "latest")
    #expect(answer.json["id"] == "1")
  }

  @Test func `comes to one who waits`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(.passwordReset)
    let beginning = try mailbox.begin(
      GetMessage.self, query: "to=ada@example.com&type=PASSWORD_RESET&after=1&wait=10s",
      message: "latest")
    async let answer = mailbox.finish(beginning)
    // These do not match: another type, address, project.
    try mailbox.capture(.verifyEmail)
    try mailbox.capture(to: "bob@example.com")
    try mailbox.capture(in: "demo-other")
    try mailbox.capture(.passwordReset, code: "yes")
    #expect(try await answer.json["oobCode"] == "yes")
  }

  @Test func `is not lost behind a crowd of other projects' mail`() async throws {
    let mailbox = try TestProject()
    let beginning = try mailbox.begin(GetMessage.self, query: "wait=10s", message: "latest")
    try mailbox.capture(code: "mine")
    // More than a listener's buffer holds.
    for _ in 1...300 { try mailbox.capture(in: "demo-other") }
    #expect(try await mailbox.finish(beginning).json["oobCode"] == "mine")
  }

  @Test func `comes in the last moment`() async throws {
    let mailbox = try TestProject()
    let beginning = try mailbox.begin(GetMessage.self, query: "wait=10s", message: "latest")
    mailbox.clock.advance(by: .seconds(10))
    try mailbox.capture()
    #expect(try await mailbox.finish(beginning).json["id"] == "1")
  }

  @Test(arguments: [("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("0s", 0)])
  func `is given up when the time is over`(_ wait: String, _ milliseconds: Int) async throws {
    let mailbox = try TestProject()
    let beginning = try mailbox.begin(
      GetMessage.self, query: "to=ada@example.com&type=PASSWORD_RESET&wait=\(wait)",
      message: "latest")
    let end = Task { try await mailbox.finish(beginning) }
    mailbox.clock.advance(by: .milliseconds(milliseconds))
    await #expect(
      throws: APIError(
        .notFound,
        detail: "no pending message to ada@example.com of type PASSWORD_RESET within \(wait)")
    ) {
      _ = try await end.value
    }
  }

  @Test(arguments: ["used", "expired"])
  func `has a code that works, for one who waits`(_ state: String) async throws {
    let mailbox = try TestProject()
    try mailbox.capture(code: "old")
    if state == "used" { try mailbox.use("old") } else { mailbox.clock.advance(by: .seconds(60)) }
    let beginning = try mailbox.begin(
      GetMessage.self, query: "to=ada@example.com&wait=10s", message: "latest")
    async let answer = mailbox.finish(beginning)
    try mailbox.capture(code: "new")
    #expect(try await answer.json["oobCode"] == "new")
  }

  @Test func `has an old code only for one who asks for it`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(code: "old")
    try mailbox.use("old")
    for query in ["", "state=any&wait=0s", "state=used&wait=0s"] {
      let answer = try await mailbox.perform(GetMessage.self, query: query, message: "latest").json
      #expect(answer["oobCode"] == "old" && answer["state"] == "used")
    }
    await #expect(
      throws: APIError(
        .notFound,
        detail:
          "no pending message within 0s; the code of message 1 is used (state=any hands it out)")
    ) {
      try await mailbox.perform(GetMessage.self, query: "wait=0s", message: "latest")
    }
  }

  @Test func `can be waited for until its code is used`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(code: "mine")
    let beginning = try mailbox.begin(
      GetMessage.self, query: "state=used&wait=10s", message: "latest")
    async let answer = mailbox.finish(beginning)
    try mailbox.use("mine")
    #expect(try await answer.json["oobCode"] == "mine")
  }

  @Test func `in another project is pointed at`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(in: "demo-a")
    try mailbox.capture(in: "demo-b")
    await #expect(
      throws: APIError(.notFound, detail: "no message in project demo; mail is in demo-b, demo-a")
    ) {
      try await mailbox.perform(GetMessage.self, message: "latest")
    }
  }

  @Test func `is waited for no longer when the caller is gone`() async throws {
    let mailbox = try TestProject()
    let waiting = Task {
      try await mailbox.perform(GetMessage.self, query: "wait=5m", message: "latest")
    }
    waiting.cancel()
    await #expect(throws: APIError(.unavailable, detail: "the wait for a message was cancelled")) {
      _ = try await waiting.value
    }
  }

  @Test(arguments: ["wait=10", "wait=", "wait=s", "wait=6m", "wait=301s", "wait=-1s", "wait=1h"])
  func `is not waited for an unclear time`(_ query: String) async throws {
    let mailbox = try TestProject()
    await #expect(
      throws: APIError(
        .invalidArgument,
        detail: "\"wait\" must be a time of at most 5 minutes, such as 500ms, 10s or 2m")
    ) {
      try await mailbox.perform(GetMessage.self, query: query, message: "latest")
    }
  }
}
