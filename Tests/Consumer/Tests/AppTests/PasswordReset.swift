import HearthTesting
import Testing
import XCTest

/// The first minute of the guide.
@Suite(.hearth) struct PasswordReset {
  let hearth = HearthClient.current

  @Test func theCodeOfAMailSetsANewPassword() async throws {
    try await hearth.createUser(email: "ann@example.com", password: "old secret")
    try await hearth.sendPasswordReset(to: "ann@example.com")
    let code = try await hearth.waitForCode(to: "ann@example.com", type: .passwordReset)
    try await hearth.resetPassword(code: code, newPassword: "new secret")
    _ = try await hearth.signIn(email: "ann@example.com", password: "new secret")
  }
}

final class SignIn: HearthTestCase {
  override class var testProject: TestProject {
    TestProject(rules: .text("service cloud.firestore { match /{x=**} { allow read; } }"))
  }

  func testWithoutAName() async throws {
    let session = try await hearth.signInAnonymously()
    XCTAssertFalse(session.localId.isEmpty)
  }
}
