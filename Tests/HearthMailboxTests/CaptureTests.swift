import HearthErrors
import HearthMailbox
import HearthOperations
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `A captured message` {
  @Test func `has all its fields and no null`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(.verifyEmail, to: "Ada@Example.com", code: "abc")
    let json = try await mailbox.perform(GetMessage.self, message: "1").json
    #expect(
      json.keys == [
        "id", "source", "to", "from", "subject", "type", "oobCode", "oobLink", "code", "link",
        "linkToken", "state", "delivery", "createdAt", "expiresAt", "locale", "read", "tags",
        "codes", "links", "envelope", "recipients", "attachments", "metadata", "defects", "size",
        "text", "html",
      ])
    #expect(json["id"] == "1")
    #expect(json["to"] == "ada@example.com")
    #expect(json["from"] == "noreply@demo.firebaseapp.com")
    #expect(json["subject"] == "Verify your email address for demo")
    #expect(json["type"] == "VERIFY_EMAIL")
    #expect(json["oobCode"] == "abc" && json["code"] == "abc" && json["linkToken"] == "abc")
    #expect(json["source"] == "auth" && json["delivery"] == ["state": "delivered"])
    #expect(json["oobLink"]?.string?.contains("oobCode=abc") == true)
    #expect(json["state"] == "pending")
    #expect(json["createdAt"] == "2027-01-15T08:00:00.000Z")
    #expect(json["expiresAt"] == "2027-01-15T08:01:00.000Z")
    #expect(json["locale"] == "en")
  }

  @Test func `names its tenant`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(tenant: "acme")
    let json = try await mailbox.perform(GetMessage.self, message: "latest").json
    #expect(json["tenantId"] == "acme")
  }

  @Test func `is announced`() async throws {
    let mailbox = try TestProject()
    var changes = mailbox.server.changes.stream().makeAsyncIterator()
    try mailbox.capture()
    guard case .messageCaptured("demo", id: 1) = await changes.next() else {
      Issue.record("the capture was not announced")
      return
    }
  }

  @Test func `is gone when the request is refused`() throws {
    let mailbox = try TestProject()
    #expect(throws: APIError.self) {
      try mailbox.inProject { (project) throws(APIError) in
        try Mailbox(in: project).capture(.sample(.passwordReset), context: mailbox.context())
        throw APIError(.invalidArgument)
      }
    }
    #expect(try mailbox.messages().isEmpty)
  }

  @Test func `is pending, then used`() throws {
    let mailbox = try TestProject()
    try mailbox.capture(code: "mine")
    try mailbox.capture(code: "other")
    try mailbox.capture(code: "mine", in: "demo-other")
    try mailbox.capture(code: "mine", tenant: "acme")
    mailbox.clock.advance(by: .seconds(5))
    let usedAt = mailbox.clock.now
    try mailbox.inProject { (project) throws(APIError) in
      try Mailbox(in: project).noteUse(
        ofCode: "mine", type: "PASSWORD_RESET", sentTo: "Ada@example.com", at: usedAt)
    }
    mailbox.clock.advance(by: .seconds(5))
    try mailbox.inProject { (project) throws(APIError) in
      try Mailbox(in: project).noteUse(
        ofCode: "mine", type: "PASSWORD_RESET", sentTo: "Ada@example.com", at: mailbox.clock.now)
    }
    let messages = try mailbox.messages()
    #expect(messages.map(\.usedAt) == [usedAt, nil, nil])
    #expect(messages.map { $0.state(at: mailbox.clock.now) } == [.used, .pending, .pending])
    #expect(messages[0].json(at: usedAt)["usedAt"] == "2027-01-15T08:00:05.000Z")
    #expect(try mailbox.messages(in: "demo-other").map(\.usedAt) == [nil])
  }

  @Test func `is expired when its time has come`() throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    let message = try #require(try mailbox.messages().first)
    mailbox.clock.advance(by: .milliseconds(59_999))
    #expect(message.state(at: mailbox.clock.now) == .pending)
    mailbox.clock.advance(by: .milliseconds(1))
    #expect(message.state(at: mailbox.clock.now) == .expired)
  }

  @Test func `drives out the oldest beyond ten thousand of its project`() throws {
    let mailbox = try TestProject()
    try mailbox.capture(in: "demo-quiet")
    try mailbox.inProject { (project) throws(APIError) in
      let context = mailbox.context()
      let other = ProjectTransaction(
        project.transaction, projectId: "demo-odd", tenantId: nil, server: project.server)
      // Alternating, so that one project never gets a number that is a multiple of the interval.
      for _ in 1...10_400 {
        try Mailbox(in: project).capture(.sample(.passwordReset), context: context)
        try Mailbox(in: other).capture(.sample(.passwordReset), context: context)
      }
      for project in [project, other] {
        let count = try Mailbox(in: project).messages(limit: 20_000).count
        #expect((10_000..<10_256).contains(count))
      }
    }
    #expect(try mailbox.messages(in: "demo-quiet").count == 1)
  }
}
