import Foundation
import HearthClient
import HearthTestSupport
import HearthTime
import HearthWire
import Testing

/// An app that lets Firebase write the mail and serve the page.
@Suite struct `A Firebase password reset` {
  private static let email = "ana@example.com"

  /// With the code in the app, or over the page that the mail's link opens.
  @Test(arguments: [true, false]) func `ends in the new password`(inApp: Bool) async throws {
    try await Flow.open { flow in
      let session = try await flow.signedInUser(Self.email, password: "old-password")
      try await flow.hearth.sendPasswordReset(to: Self.email)
      let mail = try await flow.hearth.waitForMail(to: Self.email, type: .passwordReset)
      let (code, link) = (try #require(mail.code), try #require(mail.link))
      #expect(mail.text.contains(link) && !mail.html.isEmpty && link.contains(code))
      if inApp {
        let asked = try await flow.auth.post(
          "/identitytoolkit.googleapis.com/v1/accounts:resetPassword?key=any",
          body: ["oobCode": .string(code)])
        #expect(asked["email"] == .string(Self.email))
        #expect(asked["requestType"] == "PASSWORD_RESET")
        try await flow.hearth.resetPassword(code: code, newPassword: "new-password")
      } else {
        let url = try #require(URLComponents(string: link))
        let path = url.percentEncodedPath + "?" + (url.percentEncodedQuery ?? "")
        let page = try await flow.auth.get(path, headers: [("Accept", "text/html")])
        #expect(page.status == 200 && page.text.contains("name=\"newPassword\""))
        let done = try await flow.auth.submit(path, form: "newPassword=new-password")
        #expect(done.status == 200, "\(done.text)")
      }
      try await flow.expectReset(
        of: Self.email, to: "new-password", from: "old-password", ending: session)
      #expect(try await flow.hearth.latestMail(to: Self.email)?.usedAt != nil)
      #expect(
        await refusal { try await flow.hearth.resetPassword(code: code, newPassword: "third-one") }
          == "INVALID_OOB_CODE")
    }
  }

  @Test func `is too late after an hour`() async throws {
    try await Flow.open { flow in
      _ = try await flow.signedInUser(Self.email, password: "old-password")
      try await flow.hearth.sendPasswordReset(to: Self.email)
      let code = try #require(try await flow.hearth.waitForMail(to: Self.email).code)
      flow.clock.advance(by: .seconds(3601))
      #expect(
        await refusal { try await flow.hearth.resetPassword(code: code, newPassword: "third-one") }
          == "EXPIRED_OOB_CODE")
      _ = try await flow.hearth.signIn(email: Self.email, password: "old-password")
    }
  }

  @Test func `of a stranger tells so, but under enumeration protection`() async throws {
    try await Flow.open { flow in
      let request = { try await flow.hearth.sendPasswordReset(to: "no@example.com") }
      #expect(await refusal(request) == "EMAIL_NOT_FOUND")
      try await flow.hearth.setSwitches([.emailEnumerationProtection: true])
      #expect(await refusal(request) == nil)
      #expect(try await flow.hearth.mails(to: "no@example.com").isEmpty)
    }
  }

  @Test func `asked for too often is refused where rates are limited`() async throws {
    try await Flow.open { flow in
      _ = try await flow.signedInUser(Self.email, password: "old-password")
      try await flow.hearth.setSwitches([.rateLimits: true])
      var refusals: [String?] = []
      for _ in 0..<7 {
        refusals.append(await refusal { try await flow.hearth.sendPasswordReset(to: Self.email) })
      }
      #expect(refusals.prefix(5).allSatisfy { $0 == nil })
      #expect(refusals.suffix(2).allSatisfy { $0 != nil })
      #expect(try await flow.hearth.mails(to: Self.email).count == 5)
    }
  }
}
