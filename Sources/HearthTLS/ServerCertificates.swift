package import HearthTime
package import NIOSSL
import Synchronization

/// The certificates of a server, and the TLS that they are for. Nothing is made before it is needed:
/// most servers are never asked for TLS.
///
/// It owns the authority and the context, and may be called on any thread. Callers wait for each
/// other, so that two first calls make one authority. The first call takes some milliseconds and
/// may write files: not on an event loop.
package final class ServerCertificates: Sendable {
  private struct State {
    /// Nil until they are needed first. They are not renewed while the server runs.
    var issuer: (any CertificateIssuer)?
    var context: NIOSSLContext?
    var issued: IssuedCertificate?
  }

  private let directory: String?
  /// What the certificates are for: names and addresses.
  ///
  /// Each once, whatever its case; what cannot stand in a certificate is left out.
  package let names: [String]
  /// How long an authority lives that is made for this run only; nil for one that is kept.
  private let days: Int?
  private let clock: any HearthClock
  private let state = Mutex(State())

  /// The authority is kept in the data directory, or in memory where there is none. Besides the names
  /// of this machine, certificates are for the names that are given.
  ///
  /// With `days`, the authority is a ``ThrowAwayAuthority`` that lives that long.
  package init(
    dataDirectory: String?, names: [String], clock: any HearthClock, days: Int? = nil
  ) {
    directory = dataDirectory
    self.days = days
    var seen: Set<String> = []
    let all = ["localhost", "127.0.0.1", "::1", HostName.ofThisMachine].compactMap { $0 } + names
    self.names = all.filter {
      (HostName.isName($0) || HostName.isAddress($0)) && seen.insert($0.lowercased()).inserted
    }
    self.clock = clock
  }

  /// What clients have to trust, as PEM.
  ///
  /// - Throws: ``TLSError`` where OpenSSL fails or the files of the authority cannot be written.
  package func authorityPEM() throws(TLSError) -> String {
    try state.withLock { state throws(TLSError) in try issuer(&state).rootPEM }
  }

  /// When the authority's certificate expires; nil for an authority that is kept, and before the first
  /// certificate is made.
  package var end: Timestamp? {
    state.withLock { ($0.issuer as? ThrowAwayAuthority)?.end }
  }

  /// The same context for all connections. To make one parses certificates and keys again.
  package func serverContext() throws -> NIOSSLContext {
    try state.withLock { state in
      if let context = state.context { return context }
      let context = try NIOSSLContext(issued: try issued(&state))
      state.context = context
      return context
    }
  }

  /// A new context with the same certificate, for ports that speak these protocols (ALPN).
  package func serverContext(protocols: [String]) throws -> NIOSSLContext {
    try state.withLock { state in
      try NIOSSLContext(issued: try issued(&state), protocols: protocols)
    }
  }

  private func issued(_ state: inout State) throws(TLSError) -> IssuedCertificate {
    if let issued = state.issued { return issued }
    let issued = try issuer(&state).issue(for: names, now: clock.now)
    state.issued = issued
    return issued
  }

  private func issuer(_ state: inout State) throws(TLSError) -> any CertificateIssuer {
    if let known = state.issuer { return known }
    let issuer = try newIssuer(clock.now)
    state.issuer = issuer
    return issuer
  }

  private func newIssuer(_ now: Timestamp) throws(TLSError) -> any CertificateIssuer {
    if let days { return try ThrowAwayAuthority(names: names, now: now, days: days) }
    guard let directory else { return try CertificateAuthority(names: names, now: now) }
    return try AuthorityFiles(dataDirectory: directory).authority(for: names, now: now)
  }
}

/// An authority that issues the certificates of a server.
private protocol CertificateIssuer: Sendable {
  /// What clients have to trust.
  var rootPEM: String { get }

  func issue(for names: [String], now: Timestamp) throws(TLSError) -> IssuedCertificate
}

extension ThrowAwayAuthority: CertificateIssuer {}

extension CertificateAuthority: CertificateIssuer {
  fileprivate var rootPEM: String { certificatePEM }
}
