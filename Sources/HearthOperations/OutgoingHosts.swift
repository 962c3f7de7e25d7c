#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where Hearth makes requests by itself: to this machine, and to hosts that its user has named.
///
/// What it sends holds documents, accounts and tokens, and parts of the answers go to callers.
/// Without this, a caller who can change a setting could have requests made in networks out of
/// reach. All code that makes such a request asks here first, and no redirect is followed.
package struct OutgoingHosts: Sendable {
  package static let thisMachine = OutgoingHosts(allowed: [])

  private let allowed: Set<String>
  private let allowsThisMachine: Bool

  /// - Parameters:
  ///   - allowed: names or addresses, for all ports or with one as in `host:port`.
  ///   - allowsThisMachine: whether all ports of this machine are allowed besides.
  package init(allowed: [String], allowsThisMachine: Bool = true) {
    self.allowed = Set(allowed.map { $0.lowercased() })
    self.allowsThisMachine = allowsThisMachine
  }

  /// Why an address is refused, as the end of a sentence about it.
  package struct Refusal: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// The address is read as the HTTP client reads it.
  package func check(_ address: String) throws(Refusal) {
    guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host?.lowercased(), !host.isEmpty,
      url.user == nil, url.password == nil, (1...65535).contains(url.port ?? 80),
      address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw Refusal(description: "must be an address that begins with http:// or https://")
    }
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    guard allowsThisMachine && Self.isThisMachine(host) || isAllowed(host, port: port) else {
      let reason = allowsThisMachine ? "which is not this machine" : "which is not allowed"
      throw Refusal(
        description: "is on the host \(host), \(reason); --allow-calls-to \(host) allows it")
    }
  }

  /// The host and port of an address of this machine; nil for one of another.
  package static func placeOnThisMachine(_ address: String) -> (host: String, port: Int)? {
    guard (try? thisMachine.check(address)) != nil, let url = URL(string: address),
      let host = url.host
    else { return nil }
    return (bare(host.lowercased()), url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80))
  }

  private func isAllowed(_ host: String, port: Int) -> Bool {
    let bare = Self.bare(host)
    return [bare, "[\(bare)]", "\(bare):\(port)", "[\(bare)]:\(port)"].contains(
      where: allowed.contains)
  }

  /// Names that only resolve to this machine do not count: they may resolve otherwise when
  /// something is sent.
  private static func isThisMachine(_ host: String) -> Bool {
    let bare = bare(host)
    if bare == "localhost" || bare == "::1" { return true }
    let parts = bare.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func bare(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }
}
