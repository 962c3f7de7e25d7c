import HearthWire

/// Which Host headers are ours.
///
/// A web page can make a name of its own point to 127.0.0.1 and then talk to us as its own origin
/// (DNS rebinding). It cannot choose the Host header, so that is what gives it away.
package struct Hosts: Sendable {
  /// The address that we listen on.
  package let bound: String
  /// `--allowed-host`.
  package let allowed: [String]
  /// How machines of the local network reach this one.
  package struct Network: Sendable {
    package let address: String
    package let name: String

    package init(address: String, name: String) {
      self.address = address
      self.name = name
    }
  }

  /// Nil without `--lan`.
  package var network: Network?
  /// `--lan-control`.
  package var opensControlToNetwork = false

  package init(
    bound: String, allowed: [String], network: Network? = nil, opensControlToNetwork: Bool = false
  ) {
    self.bound = bound
    self.allowed = allowed
    self.network = network
    self.opensControlToNetwork = opensControlToNetwork
  }

  package func accepts(_ header: String?) -> Bool {
    guard let header else { return true }
    guard let host = Self.name(of: header) else { return false }
    if Self.isLoopback(host) || host == bound.lowercased() { return true }
    if Self.isAddress(host), ["0.0.0.0", "::"].contains(bound) { return true }
    if opensControlToNetwork, let network, [network.address, network.name].contains(host) {
      return true
    }
    return allowed.contains { $0.lowercased() == host }
  }

  /// Whether control endpoints refuse the machine at this address. A Host header says little of
  /// programs, which choose it.
  package func isClosed(to peer: String) -> Bool {
    network != nil && !opensControlToNetwork && !isOwnPeer(peer)
  }

  /// Whether the header is a name of this machine that cannot be another's.
  package func isLoopback(_ header: String?) -> Bool {
    header.flatMap(Self.name(of:)).map(Self.isLoopback) ?? false
  }

  /// Whether a connection comes from this machine: from a loopback address, or from the address
  /// that we listen on, which no other machine has.
  package func isOwnPeer(_ address: String) -> Bool {
    var address = address[...]
    // IPv4 at a socket of both families.
    if address.hasPrefix("::ffff:") { address = address.dropFirst(7) }
    let own = [bound.lowercased(), network?.address ?? bound]
    return Self.isLoopback(String(address)) || own.contains(String(address))
  }

  /// Without port and brackets, in lower case; nil where what follows the name is not a port.
  package static func name(of header: String) -> String? {
    let name: Substring
    let rest: Substring
    if header.hasPrefix("[") {
      guard let end = header.firstIndex(of: "]") else { return nil }
      name = header[..<end].dropFirst()
      rest = header[end...].dropFirst()
    } else {
      name = header.prefix { $0 != ":" }
      rest = header[name.endIndex...]
    }
    guard rest.isEmpty || rest.first == ":" && rest.dropFirst().utf8.allSatisfy(\.isASCIIDigit)
    else { return nil }
    return name.lowercased()
  }

  package static func isLoopback(_ host: String) -> Bool {
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    if bare == "localhost" || bare.hasSuffix(".localhost") || bare == "::1" { return true }
    return bare.hasPrefix("127.") && isAddress(bare)
  }

  package static func isAddress(_ host: String) -> Bool {
    if host.contains(":") { return host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The scheme and the Host header of a call, for links; a header that is not a host is not repeated.
  /// In the local network, links are for phones too.
  package func baseURL(_ call: IncomingCall) -> String {
    guard let header = call.host, !header.isEmpty, header.utf8.allSatisfy(Self.isHostByte) else {
      return "http://127.0.0.1:9099"
    }
    let scheme = call.isSecure ? "https://" : "http://"
    if let network, isLoopback(header) {
      let port = header.lastIndex(of: ":").map { header[$0...] } ?? ""
      return scheme + network.name + (port.contains("]") ? "" : port)
    }
    return scheme + header
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || ".:-_[]".utf8.contains(byte)
  }
}
