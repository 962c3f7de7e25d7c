/// Where a running server is reached.
package struct Addresses: Sendable {
  package let host: String
  package let authPort: Int
  package let firestorePort: Int
  /// Auth's where the console has no port: control endpoints are there too.
  package let consolePort: Int
  package let hasConsole: Bool
  /// Where tokens are unsigned whatever the mode; nil without such a port.
  package let unsignedAuthPort: Int?
  /// The ports that dialects have of their own.
  package let dialectPorts: [Int]
  /// Nil without a hub.
  package let hubPort: Int?
  /// Nil where mail is not taken over SMTP, without TLS or with it.
  package let smtpPort: Int?
  package let smtpTLSPort: Int?
  /// Nil where the send APIs are not served.
  package let mailAPIPort: Int?
  /// Nil unless the server runs as Google.
  package let googlePort: Int?
  package let proxyPort: Int?
  package let metadataPort: Int?

  /// Nil where one of the two ports that every server has is missing.
  package init?(host: String, ports: [PortRole: Int]) {
    guard let auth = ports[.auth], let firestore = ports[.firestore] else { return nil }
    self.host = host
    authPort = auth
    firestorePort = firestore
    consolePort = ports[.console] ?? auth
    hasConsole = ports[.console] != nil
    unsignedAuthPort = ports[.unsignedAuth]
    // 0 where no port could be opened.
    let opened = ports.filter { $0.value > 0 }
    hubPort = opened[.hub]
    smtpPort = opened[.smtp]
    smtpTLSPort = opened[.smtpTLS]
    mailAPIPort = opened[.mailAPI]
    googlePort = opened[.google]
    proxyPort = opened[.proxy]
    metadataPort = opened[.metadata]
    dialectPorts = ports.compactMap { role, port in
      if case .dialect = role { port } else { nil }
    }.sorted()
  }

  /// `host:port` as a client on this machine writes it.
  package func authority(_ port: Int) -> String {
    let reachable = reachableHost
    return reachable.contains(":") ? "[\(reachable)]:\(port)" : "\(reachable):\(port)"
  }

  /// The host as a client on this machine names it.
  package var reachableHost: String {
    host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
  }
}

extension Hosts.Network {
  /// What the QR code leads to.
  package func setupURL(_ addresses: Addresses, isSecure: Bool) -> String {
    "\(isSecure ? "https" : "http")://\(name):\(addresses.consolePort)/setup"
  }
}
