/// An absolute URL, cut into the parts that the API looks at.
///
/// The rules are those of the WHATWG URL standard as far as they decide whether a text *is* an
/// absolute URL: any scheme will do, `http` and its kin need a host. Foundation's `URL` follows
/// RFC 3986 and disagrees on what browsers and SDKs send.
package struct WebURL: Sendable, Equatable {
  package let scheme: String
  /// Everything between the scheme's colon and the query, as written.
  package let beforeQuery: String
  package let host: String
  package let query: String?
  package let fragment: String?

  private static let schemesWithHost: Set<String> = ["http", "https", "ws", "wss", "ftp"]
  private static let ownPorts = ["http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21]

  package init?(_ text: String) {
    let trimmed = text.trimmingControlAndSpace()
    guard let colon = trimmed.firstIndex(of: ":") else { return nil }
    let scheme = trimmed[..<colon].lowercased()
    guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
      scheme.utf8.allSatisfy({ Self.isSchemeCharacter($0) })
    else { return nil }
    self.scheme = scheme

    var rest = trimmed[trimmed.index(after: colon)...]
    if let hash = rest.firstIndex(of: "#") {
      fragment = String(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    } else {
      fragment = nil
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    } else {
      query = nil
    }
    beforeQuery = String(rest)

    guard Self.schemesWithHost.contains(scheme) else {
      host = ""
      return
    }
    guard let host = Self.host(of: rest) else { return nil }
    self.host = host
  }

  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The host of `//user@host:port/path`; nil when there is none or it cannot be one.
  private static func host(of text: Substring) -> String? {
    let authority = text.drop { $0 == "/" || $0 == "\\" }.prefix { $0 != "/" && $0 != "\\" }
    let afterUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    var host = afterUser ?? authority
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return nil }
      return String(host[...end])
    }
    if let colon = host.firstIndex(of: ":") {
      let port = host[host.index(after: colon)...]
      guard port.isEmpty || UInt16(port) != nil else { return nil }
      host = host[..<colon]
    }
    let decoded = PercentCoding.decode(host)
    let forbidden: Set<Character> = [
      " ", "#", "/", "<", ">", "?", "@", "[", "\\", "]", "^", "|", "%", ":",
    ]
    guard !decoded.isEmpty, !decoded.contains(where: { forbidden.contains($0) }) else { return nil }
    return decoded.lowercased()
  }

  /// The URL up to its query, as the standard writes it: with a host in lower case, without the
  /// scheme's own port, and with a path.
  package var serializedBeforeQuery: String {
    guard Self.schemesWithHost.contains(scheme) else { return scheme + ":" + beforeQuery }
    let rest = beforeQuery.drop { $0 == "/" || $0 == "\\" }
    let authority = rest.prefix { $0 != "/" && $0 != "\\" }
    let path = rest.dropFirst(authority.count).replacing("\\", with: "/")
    let user = authority.lastIndex(of: "@").map { authority[...$0] } ?? ""
    let place = authority.dropFirst(user.count)
    var port = place[(place.lastIndex(of: "]") ?? place.startIndex)...].drop { $0 != ":" }
    if port == ":" || port == Self.ownPorts[scheme].map({ ":\($0)" })?[...] { port = "" }
    return "\(scheme)://\(user)\(host)\(port)\(path.isEmpty ? "/" : path)"
  }

  /// The URL with another query.
  package func replacing(query: String?) -> String {
    scheme + ":" + beforeQuery + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }
}

extension String {
  /// Without control characters and spaces at either end, as URL parsers start.
  fileprivate func trimmingControlAndSpace() -> Substring {
    func isBlank(_ character: Character) -> Bool {
      character.unicodeScalars.allSatisfy { $0.value <= 0x20 }
    }
    let start = drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return start }
    return start[...last]
  }
}
