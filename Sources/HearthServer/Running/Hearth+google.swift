package import HearthGoogle
import HearthSettings
import HearthTLS
package import HearthTransport

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
      places: TrustFolder.Places(
        proxy: addresses.proxyPort.map(addresses.authority),
        metadata: addresses.metadataPort.map { Self.metadata(addresses, port: $0) }))
  }

  /// Where programs find the metadata server. Of a server for other machines or containers, the name
  /// leads to it there.
  private static func metadata(_ addresses: Addresses, port: Int) -> String {
    guard ["0.0.0.0", "::"].contains(addresses.host) else { return addresses.authority(port) }
    return port == 80 ? GoogleHosts.metadata : "\(GoogleHosts.metadata):\(port)"
  }
}
