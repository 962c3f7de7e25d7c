package import HearthTime

/// By what a run proves to be the hosts that it plays. It is made when the server starts and is in memory
/// only.
package struct GoogleIdentity: Sendable {
  /// What clients have to trust.
  package let rootPEM: String
  package let certificate: IssuedCertificate
  package let end: Timestamp

  /// Certificates follow the machine's clock, as clients do, whatever time a project has.
  package init(
    names: [String], days: Int = 1, now: Timestamp = SystemClock().now
  ) throws(TLSError) {
    let authority = try ThrowAwayAuthority(names: names, now: now, days: days)
    rootPEM = authority.rootPEM
    end = authority.end
    certificate = try authority.issue(for: names, now: now)
  }
}

/// What clients of a server have to trust.
package struct Trust: Sendable {
  package let identity: GoogleIdentity?
  package let certificates: ServerCertificates
  /// Whether there are ports with the server's own certificates.
  package let usesCertificates: Bool

  package init(
    identity: GoogleIdentity?, certificates: ServerCertificates, usesCertificates: Bool
  ) {
    self.identity = identity
    self.certificates = certificates
    self.usesCertificates = usesCertificates
  }

  /// When a part of it ends that clients cannot get again by themselves; nil for never.
  package var end: Timestamp? { [identity?.end, certificates.end].compactMap { $0 }.min() }

  package func pem() throws(TLSError) -> String {
    guard let identity else { return try certificates.authorityPEM() }
    return usesCertificates
      ? identity.rootPEM + (try certificates.authorityPEM()) : identity.rootPEM
  }
}
