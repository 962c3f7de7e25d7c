#if canImport(XCTest)
  public import XCTest

  /// An XCTest case whose tests have a project each.
  ///
  /// ```swift
  /// final class PasswordReset: HearthTestCase {
  ///   func testCode() async throws {
  ///     try await hearth.createUser(email: "ann@example.com", password: "old secret")
  ///   }
  /// }
  /// ```
  open class HearthTestCase: XCTestCase {
    /// What each test gets. Override it for a seed, rules or another server.
    open class var testProject: TestProject { TestProject() }

    /// The client of the project of the running test.
    public private(set) var hearth = HearthClient.current

    private var isOpen = false

    /// Makes the project. An override calls it first.
    open override func setUp() async throws {
      try await super.setUp()
      hearth = try await Self.testProject.open()
      isOpen = true
    }

    /// Clears the project. An override calls it last.
    open override func tearDown() async throws {
      if isOpen { try await Self.testProject.close(hearth) }
      try await super.tearDown()
    }
  }
#endif
