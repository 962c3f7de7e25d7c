import HearthClient
import HearthTesting
import XCTest

final class CaseTests: HearthTestCase {
  override static var testProject: TestProject {
    TestProject(server: .local, seed: .text("documents: {users/ann: {name: Ann}}"))
  }

  func testEachTestHasItsProject() async throws {
    try await expectFreshProject()
  }

  func testAndTheNextOneToo() async throws {
    try await expectFreshProject()
  }

  private func expectFreshProject() async throws {
    let fields = try await hearth.document("users/ann")
    XCTAssertEqual(fields, ["name": "Ann"])
    try await hearth.deleteDocument("users/ann")
    _ = try await hearth.signUp(email: "ann@example.com", password: "old secret")
    try await hearth.sendPasswordReset(to: "ann@example.com")
    let code = try await hearth.waitForCode(to: "ann@example.com")
    try await hearth.resetPassword(code: code, newPassword: "new secret")
    try await hearth.expectRequests("*.sendOobCode", count: 1)
  }
}
