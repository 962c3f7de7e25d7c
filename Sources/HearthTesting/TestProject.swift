import Foundation

/// A seed, or rules, for the project of a test. A string literal is the path of a file.
public enum TestFixture: Sendable, ExpressibleByStringLiteral {
  /// A file. A relative path is one below the working directory, which for `swift test` is that of
  /// the package.
  case file(String)
  /// The content itself.
  case text(String)

  /// The file at that path.
  public init(stringLiteral path: String) { self = .file(path) }

  /// The content, and the absolute path of the file.
  func read() throws(HearthError) -> (text: String, path: String?) {
    switch self {
    case .text(let text): return (text, nil)
    case .file(let path):
      let url = URL(filePath: path).standardizedFileURL
      guard let text = try? String(contentsOf: url, encoding: .utf8) else {
        throw HearthError(
          code: "NO_FILE", message: "cannot read \(url.path)", httpStatus: 0)
      }
      return (text, url.path)
    }
  }
}

/// What each test gets: a project of its own, with this content.
public struct TestProject: Sendable {
  /// Where tests get their server from.
  public var server: HearthServerSource
  /// The id of the one project for all tests, which must not run side by side then; nil for a new
  /// project for each test.
  public var id: String?
  /// The seed of each project.
  public var seed: TestFixture?
  /// The security rules of each project.
  public var rules: TestFixture?
  /// The name of a snapshot of the server's default project: each project begins as a copy of it.
  public var snapshot: String?
  /// Called once, before the first test: each project begins as a copy of what it makes.
  public var preparation: Preparation?

  /// A new project for each test, which is empty unless a parameter says otherwise.
  ///
  /// - Parameters:
  ///   - server: where tests get their server from.
  ///   - id: the one project for all tests; nil for a new project for each test.
  ///   - seed: the seed of each project.
  ///   - rules: the security rules of each project.
  ///   - snapshot: the name of a snapshot of the server's default project, which each project begins
  ///     as a copy of.
  ///   - preparation: makes what each project begins as a copy of.
  public init(
    server: HearthServerSource = .environment, id: String? = nil, seed: TestFixture? = nil,
    rules: TestFixture? = nil, snapshot: String? = nil, preparation: Preparation? = nil
  ) {
    self.server = server
    self.id = id
    self.seed = seed
    self.rules = rules
    self.snapshot = snapshot
    self.preparation = preparation
  }

  /// Makes the project of a test.
  ///
  /// - Returns: a client of it.
  /// - Throws: ``HearthError``.
  public func open() async throws -> HearthClient {
    let server = try await server.client()
    if let id { try await server.client(of: id).deleteProject() }
    let client = id.map(server.client(of:)) ?? server.isolatedProject()
    if let snapshot {
      try await server.forkSnapshot(snapshot, to: client.project)
    } else if let preparation {
      try await preparation.project(on: server).forkSnapshot(
        Preparation.snapshot, to: client.project)
    }
    if let rules { try await client.setRules(try rules.read().text) }
    if let seed {
      let (text, path) = try seed.read()
      try await client.applySeed(text, from: path)
    }
    return client
  }

  /// Clears the project of a test, also when the test was cancelled.
  ///
  /// - Parameter client: the client that ``open()`` has returned.
  /// - Throws: ``HearthError``.
  public func close(_ client: HearthClient) async throws {
    try await Task { try await client.deleteProject() }.value
  }

  /// Runs the body with a project that ``HearthClient/current`` is the client of.
  ///
  /// - Parameter body: the test.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, or ``HearthError``.
  public func run<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let client = try await open()
    let value: Value
    do {
      value = try await CurrentProject.$client.withValue(client) { try await body() }
    } catch {
      try? await close(client)
      throw error
    }
    try await close(client)
    return value
  }
}

/// What is made once for the projects of many tests. An actor, because tests begin at once.
public actor Preparation {
  static let snapshot = "prepared"

  private let body: @Sendable (HearthClient) async throws -> Void
  private var made: [String: Task<HearthClient, any Error>] = [:]

  /// A preparation.
  ///
  /// - Parameter body: makes users, documents and settings in the project that it gets.
  public init(_ body: @escaping @Sendable (HearthClient) async throws -> Void) { self.body = body }

  /// The project that the body has made, with a snapshot of it.
  func project(on server: HearthClient) async throws -> HearthClient {
    if let known = made[server.authAddress] { return try await known.value }
    let making = Task { [body] in
      let client = server.isolatedProject()
      try await body(client)
      try await client.saveSnapshot(Self.snapshot)
      return client
    }
    made[server.authAddress] = making
    return try await making.value
  }
}

enum CurrentProject {
  @TaskLocal static var client: HearthClient?
}

extension HearthClient {
  /// The client of the project of the running test.
  ///
  /// Outside of a test that has one, each call of the client throws an error that says so. Detached
  /// tasks and callbacks do not know the running test: keep the client in a constant for them.
  public static var current: HearthClient {
    CurrentProject.client
      ?? HearthClient(
        absence: HearthError(
          code: "NO_PROJECT",
          message: "this code runs outside of a test with the trait .hearth", httpStatus: 0))
  }
}
