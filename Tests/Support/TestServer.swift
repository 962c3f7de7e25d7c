import HearthServer
package import HearthSettings
import HearthTokens
package import HearthTransport
import Logging

/// A server with ports of its own, in memory, with a frozen clock.
package struct TestServer: Sendable {
  package let clock: ManualClock
  package let addresses: Addresses
  package let log: CapturedLog

  /// All tests share one set of keys: making one takes longer than most tests.
  private static let keys = KeySet(directory: nil, clock: ManualClock())

  private static let places = Places(16)

  package static func open(
    _ change: @Sendable (inout Configuration) throws -> Void = { _ in },
    body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    var configuration = Configuration.ephemeral
    configuration.singleProjectMode = .noWarning
    try change(&configuration)
    let clock = ManualClock()
    let log = CapturedLog()
    let logger = Logger(label: "test") { _ in log }
    let hearth = try Hearth(configuration, clock: clock, keys: keys, logger: logger)
    try await places.take {
      try await hearth.serving { addresses in
        try await body(TestServer(clock: clock, addresses: addresses, log: log))
      }
    }
  }

  /// Requests to the port of Auth, and to that of Firestore.
  package var auth: TestClient { TestClient(port: addresses.authPort) }
  package var firestore: TestClient { TestClient(port: addresses.firestorePort) }
}
