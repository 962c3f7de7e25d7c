import HearthGoogle
import HearthSettings
import HearthTLS
import HearthTransport
import Logging
import NIOSSL

/// The front of each port, made once when the server starts.
struct PortFronts: Sendable {
  /// The names of ALPN (RFC 7301), the best first. HTTP/2 first: gRPC needs it, and one connection
  /// then serves all requests of a browser.
  private static let protocols = ["h2", "http/1.1"]

  /// Nil unless the server runs as Google.
  let google: GoogleGateway?
  let trust: Trust
  private let ofGoogle: TLSTerms?
  private let ofServer: TLSTerms?

  /// Reads certificates and keys, or makes them.
  ///
  /// - Throws: `ConfigurationError` where the files of the configuration are of no use.
  init(
    _ configuration: Configuration, certificates: ServerCertificates, logger: Logger
  ) throws {
    try configuration.checkTLS()
    let failures = TLSFailures(logger)
    if configuration.asGoogle {
      let hosts = GoogleHosts(
        project: configuration.project, authDomains: configuration.authDomains)
      let google = GoogleGateway(
        hosts, identity: try GoogleIdentity(names: hosts.names, days: configuration.trustDays),
        logger: logger)
      let context = try NIOSSLContext(
        issued: google.identity.certificate, protocols: Self.protocols)
      ofGoogle = TLSTerms(
        context: context, accepts: { google.accepts(name: $0) }, failures: failures)
      self.google = google
    } else {
      google = nil
      ofGoogle = nil
    }
    trust = Trust(
      identity: google?.identity, certificates: certificates,
      usesCertificates: configuration.smtpTLSPort != nil || configuration.usesTLS)
    ofServer =
      configuration.usesTLS
      ? TLSTerms(
        context: try Self.context(configuration, certificates: certificates), accepts: nil,
        failures: failures)
      : nil
  }

  /// The developer's certificate where there is one, or the server's own, which its authority has
  /// issued.
  private static func context(
    _ configuration: Configuration, certificates: ServerCertificates
  ) throws -> NIOSSLContext {
    guard let certificate = configuration.tlsCertificate, let key = configuration.tlsKey else {
      return try certificates.serverContext(protocols: protocols)
    }
    do {
      return try NIOSSLContext(certificateFile: certificate, keyFile: key, protocols: protocols)
    } catch {
      throw ConfigurationError(
        "\(certificate) and \(key) cannot be used as a certificate and its key: \(error)")
    }
  }

  /// SMTP adds TLS itself. The roles that are not named speak without it.
  func front(of role: PortRole) -> PortFront {
    switch role {
    case .google: ofGoogle.map(PortFront.tls) ?? .none
    case .proxy:
      if let google, let ofGoogle {
        .proxy { ProxyFront(google, terms: ofGoogle) }
      } else {
        .none
      }
    case .auth, .firestore, .console, .unsignedAuth: ofServer.map(PortFront.tls) ?? .none
    default: .none
    }
  }
}
