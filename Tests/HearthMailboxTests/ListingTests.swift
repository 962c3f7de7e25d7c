import HearthErrors
import HearthMailbox
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

@Suite struct `Listing messages` {
  /// 1 reset to ada · 2 verification to ada · 3 reset to bob · 4 reset to ada in a tenant
  /// · 5 of another project · 6 e-mail link to bob.
  private func filled() throws -> TestProject {
    let mailbox = try TestProject()
    try mailbox.capture(.passwordReset)
    try mailbox.capture(.verifyEmail)
    try mailbox.capture(.passwordReset, to: "bob@example.com")
    try mailbox.capture(.passwordReset, tenant: "acme")
    try mailbox.capture(.passwordReset, in: "demo-other")
    try mailbox.capture(.emailSignIn, to: "bob@example.com")
    return mailbox
  }

  @Test(arguments: [
    ("", ["1", "2", "3", "4", "6"]),
    ("to=bob@example.com", ["3", "6"]),
    ("to=BOB@Example.com", ["3", "6"]),
    ("to=bob", []),
    ("to=%25@example.com", []),
    ("type=PASSWORD_RESET", ["1", "3", "4"]),
    ("type=verify_email", ["2"]),
    ("type=VERIFY_EMAIL,EMAIL_SIGNIN", ["2", "6"]),
    ("to=ada@example.com&type=PASSWORD_RESET", ["1", "4"]),
    ("tenantId=acme", ["4"]),
    ("tenantId=", ["1", "2", "3", "6"]),
    ("after=2", ["3", "4", "6"]),
    ("after=0", ["1", "2", "3", "4", "6"]),
    ("after=6", []),
    ("since=2", ["3", "4", "6"]),
    ("since=1&after=3", ["4", "6"]),
    ("since=2027-01-15T08:00:00Z", ["1", "2", "3", "4", "6"]),
    ("since=2027-01-15T09:00:00.000%2B01:00", ["1", "2", "3", "4", "6"]),
    ("since=2027-01-15T08:00:00.001Z", []),
    ("state=any", ["1", "2", "3", "4", "6"]),
    ("state=pending&to=bob@example.com", ["3", "6"]),
    ("state=used", []),
    ("limit=2", ["4", "6"]),
    ("limit=2&to=ada@example.com", ["2", "4"]),
    ("after=1&limit=1", ["6"]),
    ("before=4&limit=2", ["2", "3"]),
    ("before=1", []),
    ("after=1&before=6", ["2", "3", "4"]),
    ("key=fake-api-key", ["1", "2", "3", "4", "6"]),
  ])
  func `filters and keeps the order of creation`(_ query: String, _ ids: [String]) async throws {
    let answer = try await filled().perform(ListMessages.self, query: query)
    #expect(answer.ids == ids)
  }

  @Test func `tells used and expired codes from those that work`() async throws {
    let mailbox = try TestProject()
    for code in ["used", "expired"] { try mailbox.capture(code: code) }
    try mailbox.use("used")
    mailbox.clock.advance(by: .seconds(60))
    try mailbox.capture(code: "pending")
    for (state, ids) in [
      ("used", ["1"]), ("expired", ["2"]), ("pending", ["3"]), ("any", ["1", "2", "3"]),
    ] {
      #expect(try await mailbox.perform(ListMessages.self, query: "state=\(state)").ids == ids)
    }
    let all = try await mailbox.perform(ListMessages.self).json["messages"]?.array ?? []
    #expect(all.compactMap { $0["state"]?.string } == ["used", "expired", "pending"])
  }

  @Test func `leaves texts and headers out of summaries`() async throws {
    let mailbox = try filled()
    let whole = try await mailbox.perform(ListMessages.self).json["messages"]?.array ?? []
    let short = try await mailbox.perform(ListMessages.self, query: "summary=true").json[
      "messages"]?.array
    let long = ["text", "html", "headers", "candidates"]
    #expect(whole.count == 5 && short?.count == 5)
    for (message, summary) in zip(whole, short ?? []) {
      let kept = (message.object?.members ?? []).filter { name, _ in !long.contains(name) }
      let shown = (summary.object?.members ?? []).filter { name, _ in name != "preview" }
      #expect(JSONObject(members: shown) == JSONObject(members: kept))
      #expect(summary["preview"]?.string != nil)
    }
  }

  @Test func `gives an empty list without mail`() async throws {
    let answer = try await TestProject().perform(ListMessages.self, in: "demo-nobody")
    #expect(answer.json == JSONObject(["messages": [], "total": 0]))
  }

  @Test(arguments: [
    ("", 5), ("limit=1", 5), ("limit=2&before=4", 5), ("before=2", 5), ("to=bob@example.com", 2),
    ("to=bob@example.com&limit=1", 2), ("after=2&limit=1", 3), ("q=to:bob&limit=1", 2),
  ])
  func `tells how many match on all pages`(_ query: String, _ total: Int64) async throws {
    #expect(
      try await filled().perform(ListMessages.self, query: query).json["total"]?.integer == total)
  }

  @Test func `gives at most a hundred unless told otherwise`() async throws {
    let mailbox = try TestProject()
    for _ in 1...105 { try mailbox.capture() }
    #expect(try await mailbox.perform(ListMessages.self).ids.first == "6")
    #expect(try await mailbox.perform(ListMessages.self, query: "limit=1000").ids.count == 105)
  }

  @Test(arguments: [
    ("limit=0", "\"limit\" must be a whole number from 1 to 1000"),
    ("limit=1001", "\"limit\" must be a whole number from 1 to 1000"),
    ("limit=ten", "\"limit\" must be a whole number from 1 to 1000"),
    ("after=-1", "\"after\" must be a whole number of at least 0"),
    ("after=", "\"after\" must be a whole number of at least 0"),
    ("after=99999999999999999999", "\"after\" must be a whole number of at least 0"),
    ("before=0", "\"before\" must be a whole number of at least 1"),
    ("to=", "\"to\" is empty; leave it out to see all mail"),
    (
      "too=a",
      "unknown parameter \"too\"; known are to, type, after, before, since, state, tenantId, "
        + "delivery, q, limit, summary"
    ),
    ("summary=1", "\"summary\" must be true or false"),
    ("state=unused", "unknown state \"unused\"; known are pending, used, expired, any"),
    (
      "since=yesterday",
      "\"since\" must be the id of a message, or a time such as 2027-01-31T09:30:00Z"
    ),
    (
      "type=RESETS",
      "unknown type \"RESETS\"; known are PASSWORD_RESET, VERIFY_EMAIL, EMAIL_SIGNIN, "
        + "VERIFY_AND_CHANGE_EMAIL, RECOVER_EMAIL, SMS, PUSH, NEW_PASSWORD, NOTICE, reset, verify, magic, "
        + "otp, none"
    ),
  ])
  func `refuses what it does not understand`(_ query: String, _ detail: String) async throws {
    let mailbox = try filled()
    await #expect(throws: APIError(.invalidArgument, detail: detail)) {
      try await mailbox.perform(ListMessages.self, query: query)
    }
  }
}

@Suite struct `Deleting messages` {
  @Test func `empties one project only`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    try mailbox.capture(tenant: "acme")
    try mailbox.capture(in: "demo-other")
    #expect(try await mailbox.perform(ClearMessages.self).json.isEmpty)
    #expect(try mailbox.messages().isEmpty)
    #expect(try mailbox.messages(in: "demo-other").count == 1)
  }

  @Test func `follows the filters of the list`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture(.passwordReset)
    try mailbox.capture(.verifyEmail)
    try mailbox.capture(.verifyEmail, to: "bob@example.com")
    _ = try await mailbox.perform(ClearMessages.self, query: "to=ada@example.com&type=VERIFY_EMAIL")
    #expect(try mailbox.messages().map(\.id) == [1, 3])
  }

  @Test func `refuses a limit, which it could not keep`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    await #expect(throws: APIError.self) {
      try await mailbox.perform(ClearMessages.self, query: "limit=1")
    }
    #expect(try mailbox.messages().count == 1)
  }

  @Test func `takes one message away`() async throws {
    let mailbox = try TestProject()
    try mailbox.capture()
    try mailbox.capture()
    #expect(try await mailbox.perform(DeleteMessage.self, message: "1").json.isEmpty)
    #expect(try mailbox.messages().map(\.id) == [2])
  }

  @Test(arguments: ["7", "1", "latest", "", "1.html"])
  func `knows nothing of a message that is not there`(_ name: String) async throws {
    let mailbox = try TestProject()
    try mailbox.capture(in: "demo-other")
    await #expect(throws: APIError(.notFound, detail: "no message \(name) in project demo")) {
      try await mailbox.perform(DeleteMessage.self, message: name)
    }
  }
}
