import HearthSettings
import HearthTransport
import HearthWire

/// The mail server of the relay: `host:port`, or a URL that says more.
package struct RelayAddress: Sendable, Equatable {
  enum Security: Sendable, Equatable {
    case none
    /// STARTTLS where the server offers it.
    /// A server that does not offer it gets the mail in clear, but a password only where it is on
    /// this machine.
    case startTLS
    /// TLS from the first byte (RFC 8314), with the standard port 465.
    case tls
  }

  /// A name or an address, without brackets.
  let host: String
  let port: Int
  let security: Security
  /// Never in a log.
  let credentials: Credentials?

  /// Both without percent-encoding.
  struct Credentials: Sendable, Equatable {
    let user: String
    let password: String
  }

  /// - Throws: ``ConfigurationError``, which does not repeat the text: it may hold a password.
  init(_ text: String) throws(ConfigurationError) {
    if let (host, port) = Configuration.hostAndPort(text), !text.contains("@") {
      self.init(host: host, port: port, security: .none, credentials: nil)
      return
    }
    let (scheme, standardPort): (Security, Int)
    if text.hasPrefix("smtps://") {
      (scheme, standardPort) = (.tls, 465)
    } else if text.hasPrefix("smtp://") {
      // 587 is the port of submission (RFC 6409).
      (scheme, standardPort) = (.startTLS, 587)
    } else {
      throw Self.problem
    }
    // A path or a query after the place has no meaning, and is passed over.
    var rest = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    var credentials: Credentials?
    // The last one, because a password may hold another that was not encoded.
    if let at = rest.lastIndex(of: "@") {
      credentials = try Self.credentials(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    // Colons within brackets are those of an address.
    let hasPort = (rest.hasPrefix("[") ? rest.drop { $0 != "]" } : rest).contains(":")
    let place = hasPort ? String(rest) : "\(rest):\(standardPort)"
    guard let (host, port) = Configuration.hostAndPort(place) else { throw Self.problem }
    self.init(host: host, port: port, security: scheme, credentials: credentials)
  }

  private init(host: String, port: Int, security: Security, credentials: Credentials?) {
    self.host = host
    self.port = port
    self.security = security
    self.credentials = credentials
  }

  private static func credentials(_ text: Substring) throws(ConfigurationError) -> Credentials {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { throw problem }
    return Credentials(
      user: PercentCoding.decode(parts[0]), password: PercentCoding.decode(parts[1]))
  }

  private static let problem = ConfigurationError(
    misuse: "--smtp-relay: the value is not host:port, smtp://user:password@host:port or "
      + "smtps://…; reserved characters must be percent-encoded")

  /// Whether what is sent there comes back to a port of this server.
  ///
  /// It compares names, and looks none up. An address of this machine in the network is found only
  /// where the server listens on it.
  func isPort(of configuration: Configuration) -> Bool {
    let own = [configuration.smtpPort, configuration.smtpTLSPort].compactMap { $0 }
    guard own.contains(port) else { return false }
    let name = host.lowercased()
    return Hosts.isLoopback(name) || ["0.0.0.0", "::"].contains(name)
      || name == configuration.host.lowercased()
  }

  /// Whether a password may be sent without TLS: it does not leave this machine.
  var isLoopback: Bool { Hosts.isLoopback(host.lowercased()) }
}

extension RelayAddress: CustomStringConvertible {
  /// Without the credentials.
  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
