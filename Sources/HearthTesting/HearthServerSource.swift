import Foundation
@_exported public import HearthClient

/// Where tests get their server from.
public struct HearthServerSource: Sendable {
  enum Kind: Sendable {
    case environment
    case binary(String, arguments: [String])
    case custom(@Sendable () async throws -> HearthClient)
  }

  let kind: Kind

  /// A server that runs, where the environment names one; else one that is started for this process.
  ///
  /// `FIREBASE_AUTH_EMULATOR_HOST` (with `FIRESTORE_EMULATOR_HOST`) or `HEARTH_CONSOLE_URL` name a
  /// server, as `hearth exec` sets them. Without them, `HEARTH_BINARY` or the first `hearth` on
  /// `PATH` is started, on macOS and Linux. It ends with this process.
  public static let environment = HearthServerSource(kind: .environment)

  /// A server that is started for this process, and ends with it. macOS and Linux only.
  ///
  /// - Parameters:
  ///   - path: the path of the command.
  ///   - arguments: flags of `hearth exec`, such as `--rules` and a file.
  /// - Returns: the source.
  public static func binary(_ path: String, arguments: [String] = []) -> HearthServerSource {
    HearthServerSource(kind: .binary(path, arguments: arguments))
  }

  /// A server that the closure knows, such as one in this process.
  ///
  /// - Parameter client: makes a client of the server's default project. Called for each test; a test
  ///   for which it throws fails.
  /// - Returns: the source.
  public static func custom(
    _ client: @escaping @Sendable () async throws -> HearthClient
  ) -> HearthServerSource {
    HearthServerSource(kind: .custom(client))
  }

  /// A client of the server's default project.
  ///
  /// - Returns: the client.
  /// - Throws: ``HearthError`` with `NO_SERVER` and what to do, if none was found.
  public func client() async throws -> HearthClient {
    switch kind {
    case .custom(let client): return try await client()
    case .binary(let path, let arguments):
      return try await Servers.shared.started(path, arguments)
    case .environment:
      return try await Servers.shared.found(in: ProcessInfo.processInfo.environment)
    }
  }
}

/// The servers that this process has found or started. An actor, because tests ask at once.
actor Servers {
  static let shared = Servers()

  private var found: Task<HearthClient, any Error>?
  private var started: [[String]: Task<HearthClient, any Error>] = [:]
  #if os(macOS) || os(Linux)
    private var processes: [ServerProcess] = []
  #endif

  func found(in environment: [String: String]) async throws -> HearthClient {
    if let found { return try await found.value }
    let search = Task { try await self.search(environment) }
    found = search
    return try await search.value
  }

  func started(_ path: String, _ arguments: [String]) async throws -> HearthClient {
    let command = [path] + arguments
    if let known = started[command] { return try await known.value }
    let start = Task { try await self.start(path, arguments) }
    started[command] = start
    return try await start.value
  }

  private func search(_ environment: [String: String]) async throws -> HearthClient {
    switch ServerAddress(environment) {
    case .client(let client, let variable):
      do {
        let addresses = try await client.addresses()
        // Behind Docker the server knows other ports than those that are reached.
        return environment["FIRESTORE_EMULATOR_HOST"] == nil
          ? HearthClient(
            host: client.host, port: client.port, firestore: addresses.firestore,
            project: environment["GCLOUD_PROJECT"] ?? addresses.project) : client
      } catch let error as HearthError {
        throw HearthError(
          code: "NO_SERVER",
          message: "\(variable) names \(client.authAddress), and Hearth does not answer there: "
            + error.message, httpStatus: 0)
      }
    case .malformed(let variable, let value):
      throw HearthError(
        code: "NO_SERVER", message: "\(variable) is not an address: \(value)", httpStatus: 0)
    case .none:
      guard let path = BinarySearch.path(environment) else { throw BinarySearch.missing }
      return try await started(path, [])
    }
  }

  private func start(_ path: String, _ arguments: [String]) async throws -> HearthClient {
    #if os(macOS) || os(Linux)
      let process = try ServerProcess(path, arguments)
      // Its server ends when nobody holds it.
      processes.append(process)
      return try await process.client()
    #else
      throw BinarySearch.missing
    #endif
  }
}

/// What the environment says of a server that runs.
enum ServerAddress {
  case client(HearthClient, variable: String)
  case malformed(variable: String, value: String)
  case none

  init(_ environment: [String: String]) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let address = value("FIREBASE_AUTH_EMULATOR_HOST") {
      self =
        HearthClient(environment: environment)
        .map { .client($0, variable: "FIREBASE_AUTH_EMULATOR_HOST") }
        ?? .malformed(variable: "FIREBASE_AUTH_EMULATOR_HOST", value: address)
      return
    }
    for (name, scheme) in [("HEARTH_CONSOLE_URL", ""), ("FIRESTORE_EMULATOR_HOST", "http://")] {
      guard let address = value(name) else { continue }
      guard let url = URL(string: scheme + address), let host = url.host, let port = url.port else {
        self = .malformed(variable: name, value: address)
        return
      }
      // The ports of Auth, Firestore and the console answer all calls.
      self = .client(
        HearthClient(
          host: host, port: port, firestore: value("FIRESTORE_EMULATOR_HOST"),
          project: value("GCLOUD_PROJECT") ?? "demo-hearth"), variable: name)
      return
    }
    self = .none
  }
}

/// The command `hearth` on this machine.
enum BinarySearch {
  static func path(_ environment: [String: String]) -> String? {
    if let path = environment["HEARTH_BINARY"], !path.isEmpty { return path }
    return (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/hearth" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static let missing = HearthError(
    code: "NO_SERVER",
    message: """
      no emulator was found. Run the tests with `hearth exec -- swift test`, or set \
      HEARTH_BINARY to the command hearth, or put it on PATH. Where tests cannot start a process, \
      as in the iOS simulator, start hearth before and set FIREBASE_AUTH_EMULATOR_HOST; xcodebuild \
      passes on TEST_RUNNER_FIREBASE_AUTH_EMULATOR_HOST. How to install it: \
      GettingStarted.md of Hearth.
      """, httpStatus: 0)
}
