package import HearthTime
import NIOCore
package import NIOSSL
import Synchronization

/// The certificates of a server, and the TLS that they are for. Nothing is made before it is needed:
/// most servers are never asked for TLS.
///
/// It owns the authority and the context, and may be called on any thread. The first call takes some
/// milliseconds and may write files: not on an event loop.
package final class ServerCertificates: Sendable {
  private struct State {
    var authority: CertificateAuthority?
    var context: NIOSSLContext?
  }

  private let directory: String?
  private let names: [String]
  private let clock: any HearthClock
  private let state = Mutex(State())

  /// The authority is kept in the data directory, or in memory where there is none. Besides the names
  /// of this machine, certificates are for the names that are given.
  package init(dataDirectory: String?, names: [String], clock: any HearthClock) {
    directory = dataDirectory
    var seen: Set<String> = []
    let all = ["localhost", "127.0.0.1", "::1", HostName.ofThisMachine].compactMap { $0 } + names
    self.names = all.filter {
      (HostName.isName($0) || HostName.isAddress($0)) && seen.insert($0.lowercased()).inserted
    }
    self.clock = clock
  }

  /// What clients have to trust.
  package func authorityPEM() throws(TLSError) -> String {
    try state.withLock { state throws(TLSError) in try authority(&state).certificatePEM }
  }

  /// The same context for all connections.
  package func serverContext() throws -> NIOSSLContext {
    try state.withLock { state in
      if let context = state.context { return context }
      let issued = try authority(&state).issue(for: names, now: clock.now)
      let context = try NIOSSLContext(configuration: Self.configuration(issued))
      state.context = context
      return context
    }
  }

  private func authority(_ state: inout State) throws(TLSError) -> CertificateAuthority {
    if let known = state.authority { return known }
    let now = clock.now
    let authority =
      if let directory {
        try AuthorityFiles(dataDirectory: directory).authority(for: names, now: now)
      } else {
        try CertificateAuthority(names: names, now: now)
      }
    state.authority = authority
    return authority
  }

  private static func configuration(_ issued: IssuedCertificate) throws -> TLSConfiguration {
    let chain = try [issued.certificatePEM, issued.authorityPEM].map {
      NIOSSLCertificateSource.certificate(
        try NIOSSLCertificate(bytes: Array($0.utf8), format: .pem))
    }
    let key = try NIOSSLPrivateKey(bytes: Array(issued.keyPEM.utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    // Clients that go away without a word are common here.
    configuration.shutdownTimeout = .milliseconds(500)
    return configuration
  }
}
