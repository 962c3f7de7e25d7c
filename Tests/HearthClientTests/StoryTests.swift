import HearthClient
import HearthServer
import HearthSettings
import HearthTestSupport
import HearthTime
import HearthTransport
import Logging
import Testing

@Suite struct `A test author` {
  private func withHearth(
    _ body: @Sendable (HearthClient) async throws -> Void
  ) async throws {
    let hearth = try Hearth(
      .ephemeral, clock: SystemClock(), logger: Logger(label: "test") { _ in CapturedLog() })
    try await hearth.serving { addresses in
      try await body(HearthClient(port: addresses.authPort).isolatedProject())
    }
  }

  @Test func `walks from the forgotten password to the new one`() async throws {
    try await withHearth { hearth in
      try await hearth.createUser(email: "ann@example.com", password: "old secret")
      let before = try await hearth.signIn(email: "ann@example.com", password: "old secret")
      // By the machine's clock, and the request for the mail may be slow on its way.
      async let waited = hearth.waitForMail(
        to: "ann@example.com", type: .passwordReset, within: .seconds(300))
      try await hearth.sendPasswordReset(to: "ann@example.com", locale: "de")
      let mail = try await waited
      #expect(mail.subject.contains("Passwort"))
      let code = try #require(mail.code)
      #expect(mail.link?.contains(code) == true)
      try await hearth.resetPassword(code: code, newPassword: "new secret")
      let after = try await hearth.signIn(email: "ann@example.com", password: "new secret")
      #expect(after.localId == before.localId)
      #expect(try await hearth.mails(to: "ann@example.com").first?.usedAt != nil)
      await #expect(throws: HearthError.self) {
        try await hearth.signIn(email: "ann@example.com", password: "old secret")
      }
      do {
        _ = try await hearth.refresh(before)
        Issue.record("the old session is still alive")
      } catch let error as HearthError {
        #expect(error.code == "TOKEN_EXPIRED")
      }
      #expect(try await hearth.refresh(after).localId == after.localId)
      #expect(try await hearth.lookup(after).emailVerified == true)
    }
  }

  @Test func `verifies an address and clears the house`() async throws {
    try await withHearth { hearth in
      let session = try await hearth.signUp(email: "ann@example.com", password: "secret1")
      try await hearth.sendOobCode(.verifyEmail, as: session)
      let mail = try await hearth.waitForMail(to: "ann@example.com", type: .verifyEmail)
      try await hearth.applyCode(try #require(mail.code))
      #expect(try await hearth.lookup(session).emailVerified == true)
      try await hearth.deleteMails()
      #expect(try await hearth.mails().isEmpty)
      try await hearth.deleteAllAccounts()
      await #expect(throws: HearthError.self) { try await hearth.lookup(session) }
    }
  }

  @Test func `is refused when no mail comes`() async throws {
    try await withHearth { hearth in
      do {
        _ = try await hearth.waitForMail(to: "nobody@example.com", within: .zero)
        Issue.record("there is a mail")
      } catch let error as HearthError {
        #expect(error.httpStatus == 404)
      }
    }
  }

  @Test func `sets switches`() async throws {
    try await withHearth { hearth in
      try await hearth.setSwitches([.emailEnumerationProtection: true])
      do {
        _ = try await hearth.signIn(email: "nobody@example.com", password: "secret1")
        Issue.record("nobody signed in")
      } catch let error as HearthError {
        #expect(error.code == "INVALID_LOGIN_CREDENTIALS")
      }
    }
  }
}
