#if canImport(Testing)
  public import Testing

  /// Gives each test a project of its own, which ``HearthClient/current`` is the client of.
  public struct HearthTrait: SuiteTrait, TestTrait, TestScoping {
    let project: TestProject

    /// Tests of a suite get the trait, and not the suite itself.
    public var isRecursive: Bool { true }

    /// Each call of a test has its own scope: a test with arguments has one for each of them.
    ///
    /// - Parameters:
    ///   - test: the test.
    ///   - testCase: the call of the test; nil for the test as a whole.
    /// - Returns: the trait for a call; nil for a whole test.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> HearthTrait? {
      testCase == nil ? nil : self
    }

    /// Runs a test with its project.
    ///
    /// - Parameters:
    ///   - test: the test.
    ///   - testCase: the call of the test.
    ///   - function: runs the call.
    /// - Throws: what the call throws, or ``HearthError`` if the project cannot be made.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
      try await project.run(function)
    }
  }

  extension Trait where Self == HearthTrait {
    /// A new and empty project for each test.
    public static var hearth: HearthTrait { .hearth() }

    /// A project for each test.
    ///
    /// ```swift
    /// @Suite(.hearth(seed: "Fixtures/shop.yaml", rules: "firestore.rules")) struct Checkout {
    ///   let hearth = HearthClient.current
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - server: where tests get their server from.
    ///   - id: the one project for all tests, in a suite that is `.serialized`; nil for a new project
    ///     for each test.
    ///   - seed: the seed of each project.
    ///   - rules: the security rules of each project.
    ///   - snapshot: the name of a snapshot of the server's default project: each project begins as
    ///     a copy of it.
    /// - Returns: the trait.
    public static func hearth(
      on server: HearthServerSource = .environment, project id: String? = nil,
      seed: TestFixture? = nil, rules: TestFixture? = nil, snapshot: String? = nil
    ) -> HearthTrait {
      HearthTrait(
        project: TestProject(server: server, id: id, seed: seed, rules: rules, snapshot: snapshot))
    }

    /// A project for each test, which begins as a copy of one that is prepared once.
    ///
    /// - Parameters:
    ///   - server: where tests get their server from.
    ///   - rules: the security rules of each project.
    ///   - prepare: makes users, documents and settings, before the first test.
    /// - Returns: the trait.
    public static func hearth(
      on server: HearthServerSource = .environment, rules: TestFixture? = nil,
      preparing prepare: @escaping @Sendable (HearthClient) async throws -> Void
    ) -> HearthTrait {
      HearthTrait(
        project: TestProject(server: server, rules: rules, preparation: Preparation(prepare)))
    }
  }
#endif
