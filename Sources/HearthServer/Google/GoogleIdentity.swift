import HearthTLS
import HearthTime

/// By what a run proves to be the hosts that it plays. It is made when the server starts and is in memory
/// only.
struct GoogleIdentity: Sendable {
  /// What clients have to trust.
  let rootPEM: String
  let certificate: IssuedCertificate
  let end: Timestamp

  /// Certificates follow the machine's clock, as clients do, whatever time a project has.
  init(
    _ hosts: GoogleHosts, days: Int = 1, now: Timestamp = SystemClock().now
  ) throws(TLSError) {
    let authority = try ThrowAwayAuthority(names: hosts.names, now: now, days: days)
    rootPEM = authority.rootPEM
    end = authority.end
    certificate = try authority.issue(for: hosts.names, now: now)
  }
}

/// What clients of a server have to trust.
struct Trust: Sendable {
  let identity: GoogleIdentity?
  let certificates: ServerCertificates
  /// Whether there are ports with the server's own certificates.
  let usesCertificates: Bool

  /// When a part of it ends that clients cannot get again by themselves; nil for never.
  var end: Timestamp? { [identity?.end, certificates.end].compactMap { $0 }.min() }

  func pem() throws(TLSError) -> String {
    guard let identity else { return try certificates.authorityPEM() }
    return usesCertificates
      ? identity.rootPEM + (try certificates.authorityPEM()) : identity.rootPEM
  }
}
