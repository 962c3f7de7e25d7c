/// An absolute URL, cut into the parts that the API looks at.
///
/// The rules are those of the WHATWG URL standard as far as they decide whether a text *is* an
/// absolute URL: any scheme will do, `http` and its kin need a host. International names are not
/// checked. Foundation's `URL` follows
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

  /// Bytes, because a mark after a slash or colon makes another `Character` of it.
  private typealias Bytes = ArraySlice<UInt8>

  package init?(_ text: String) {
    let bytes = Self.cleaned(text)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    guard let first = scheme.utf8.first, first.isASCIILowercase,
      scheme.utf8.allSatisfy({ Self.isSchemeCharacter($0) })
    else { return nil }
    self.scheme = scheme

    var rest = bytes[(colon + 1)...]
    fragment = Self.cut(&rest, at: UInt8(ascii: "#"))
    query = Self.cut(&rest, at: UInt8(ascii: "?"))
    beforeQuery = String(decoding: rest, as: UTF8.self)

    guard let host = Self.host(of: rest, scheme) else { return nil }
    self.host = Self.schemesWithHost.contains(scheme) ? host : ""
  }

  /// Without control characters and spaces at either end, and without tabs and line ends anywhere.
  private static func cleaned(_ text: String) -> Bytes {
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    bytes.removeAll { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    return bytes
  }

  /// What comes after the mark, if there is one; it and all of that goes.
  private static func cut(_ bytes: inout Bytes, at mark: UInt8) -> String? {
    guard let index = bytes.firstIndex(of: mark) else { return nil }
    defer { bytes = bytes[..<index] }
    return String(decoding: bytes[(index + 1)...], as: UTF8.self)
  }

  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    byte.isASCIILowercase || byte.isASCIIDigit || "+-.".utf8.contains(byte)
  }

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  /// The host in what follows the scheme; empty where there need be none, nil where one is wrong.
  private static func host(of rest: Bytes, _ scheme: String) -> String? {
    if schemesWithHost.contains(scheme) {
      return host(ofAuthority: rest.drop(while: isSlash).prefix { !isSlash($0) }, isOpaque: false)
    }
    let slashes = rest.prefix(2)
    if scheme == "file" {
      guard slashes.count == 2, slashes.allSatisfy(isSlash) else { return "" }
      let place = rest.dropFirst(2).prefix { !isSlash($0) }
      return place.isEmpty || isDrive(place) ? "" : WebHost.domain(place)
    }
    guard slashes.elementsEqual("//".utf8) else { return "" }
    return host(
      ofAuthority: rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }, isOpaque: true)
  }

  /// `C:` or `C|`, which begins a path.
  private static func isDrive(_ place: Bytes) -> Bool {
    guard place.count == 2, let letter = place.first, let mark = place.last else { return false }
    return letter.isASCIILetter
      && (mark == UInt8(ascii: ":") || mark == UInt8(ascii: "|"))
  }

  /// The host of `user@host:port`.
  private static func host(ofAuthority authority: Bytes, isOpaque: Bool) -> String? {
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    let place = at.map { authority[($0 + 1)...] } ?? authority
    if isOpaque && authority.isEmpty { return "" }
    let bracket = place.first == UInt8(ascii: "[") ? place.firstIndex(of: UInt8(ascii: "]")) : nil
    let colon = place[(bracket ?? place.startIndex)...].firstIndex(of: UInt8(ascii: ":"))
    if let colon {
      let port = place[(colon + 1)...]
      guard port.isEmpty || isPort(port) else { return nil }
    }
    let host = place[..<(colon ?? place.endIndex)]
    guard !host.isEmpty else { return nil }
    return isOpaque ? WebHost.opaque(host) : WebHost.domain(host)
  }

  private static func isPort(_ bytes: Bytes) -> Bool {
    bytes.allSatisfy(\.isASCIIDigit)
      && UInt16(String(decoding: bytes, as: UTF8.self)) != nil
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
    serializedBeforeQuery + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }
}
