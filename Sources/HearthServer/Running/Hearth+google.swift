import HearthTLS

/// The server in the place of Google.
extension Hearth {
  /// The hosts that are played; nil unless the server runs as Google.
  package var googleHosts: GoogleHosts? { fronts.google?.hosts }

  /// What a trust folder holds; nil unless the server runs as Google.
  ///
  /// `addresses` are those that the server has got, since the system may have chosen ports.
  package func trustContents(_ addresses: Addresses) throws -> TrustFolder.Contents? {
    guard let google = fronts.google, let port = addresses.googlePort else { return nil }
    return TrustFolder.Contents(
      trusted: try fronts.trust.pem(), certificate: google.identity.certificate.certificatePEM,
      hosts: google.hosts, project: configuration.project, googlePort: port,
      proxyPort: addresses.proxyPort, metadataPort: addresses.metadataPort)
  }
}
