import HearthSettings
import HearthTLS
import HearthTransport
import NIOCore

extension Hearth {
  /// Serves the ports of apps at the address on the local network too, with the same numbers.
  ///
  /// It waits for the ports of this machine, because some numbers are chosen by the system.
  func listenInNetwork() async throws {
    guard let network, let numbers = await ports.numbers() else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (role, listener) in networkListeners {
        guard let port = numbers[role], port > 0 else {
          // Not open here, so not there either. It is counted, or nobody would ever learn the
          // addresses.
          await ports.boundInNetwork()
          continue
        }
        group.addTask { [ports] in
          do {
            try await listener.run(on: .port(port)) { _ in await ports.boundInNetwork() }
          } catch is IOError {
            // Another number would be of no use: apps on phones are given the one of this machine.
            throw ConfigurationError(
              "port \(port) cannot be opened at \(network.address) (--lan); choose another port")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

extension Hearth {
  /// What people compare before they let a phone trust the server's authority; nil where phones have
  /// nothing to trust.
  package func phoneAuthorityFingerprint() throws -> String? {
    guard configuration.offersAuthorityToPhones else { return nil }
    return try TrustedCertificates(pem: try certificates.authorityPEM()).fingerprint()
  }
}

extension PortPlan {
  /// Whether apps on phones need the port.
  var isForNetwork: Bool {
    [.auth, .firestore, .console, .dialect].contains(servedPort.kind)
  }
}
