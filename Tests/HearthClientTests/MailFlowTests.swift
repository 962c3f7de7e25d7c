import HearthClient
import Testing

/// What a test author does with a mailbox beyond waiting for one mail.
@Suite struct `A mailbox` {
  private static func filled(_ flow: Flow) async throws {
    for email in ["ann@example.com", "bob@example.com"] {
      try await flow.hearth.createUser(email: email, password: "old-password")
      try await flow.hearth.sendPasswordReset(to: email)
    }
  }

  @Test(arguments: [
    ("to:bob", ["bob@example.com"]), ("-to:bob", ["ann@example.com"]),
    ("type:PASSWORD_RESET has:code", ["ann@example.com", "bob@example.com"]), ("is:read", []),
  ])
  func `is searched`(search: String, found: [String]) async throws {
    try await Flow.open { flow in
      try await Self.filled(flow)
      #expect(try await flow.hearth.mails(search: search).map(\.to) == found)
    }
  }

  @Test func `loses what a search finds`() async throws {
    try await Flow.open { flow in
      try await Self.filled(flow)
      try await flow.hearth.deleteMails(matching: "to:ann")
      #expect(try await flow.hearth.mails().map(\.to) == ["bob@example.com"])
      #expect(
        await refusal { try await flow.hearth.deleteMails(matching: "too:ann") }
          == "INVALID_ARGUMENT")
      try await flow.hearth.deleteMails()
      #expect(try await flow.hearth.mails().isEmpty)
    }
  }

  @Test func `has mails with the name of the app`() async throws {
    try await Flow.open { flow in
      try await flow.hearth.setAppName("Artitec")
      try await Self.filled(flow)
      let mail = try #require(try await flow.hearth.latestMail())
      #expect(mail.subject.contains("Artitec") && mail.text.contains("Artitec"))
    }
  }
}
