import HearthSettings
import HearthTransport

/// The beginning of what a client sends to a proxy.
enum ProxyRequest: Equatable {
  case incomplete
  case malformed
  /// A tunnel to a port of a host, whose name is in lower case.
  case connect(host: String, port: Int)
  /// A request without TLS for a whole address; the host's name is in lower case.
  case plain(host: String)

  /// Bytes of the longest head that is taken.
  static let longest = 16 << 10

  private static let end = Array("\r\n\r\n".utf8)

  /// Reads a head. The count of its bytes is nil unless it is a tunnel's.
  static func parse(_ bytes: some Collection<UInt8>) -> (request: ProxyRequest, length: Int?) {
    let bytes = Array(bytes.prefix(longest))
    guard let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      let isOpen = bytes.count < longest && bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0D }
      return (isOpen ? .incomplete : .malformed, nil)
    }
    let line = String(decoding: bytes[..<lineEnd], as: UTF8.self)
    let request = parse(line: line.hasSuffix("\r") ? line.dropLast() : line[...])
    guard case .connect = request else { return (request, nil) }
    guard let length = headLength(bytes) else {
      return (bytes.count < longest ? .incomplete : .malformed, nil)
    }
    return (request, length)
  }

  private static func parse(line: Substring) -> ProxyRequest {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), !words[1].isEmpty,
      words[0].utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }),
      words[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return .malformed }
    guard words[0] == "CONNECT" else { return plain(words[1]) }
    guard let address = Configuration.hostAndPort(String(words[1])) else { return .malformed }
    return .connect(host: address.host.lowercased(), port: address.port)
  }

  private static func plain(_ target: Substring) -> ProxyRequest {
    guard target.lowercased().hasPrefix("http://") else { return .malformed }
    let authority = target.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" }
    return Hosts.name(of: String(authority)).map { .plain(host: $0) } ?? .malformed
  }

  /// Up to the empty line, with it.
  private static func headLength(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= end.count else { return nil }
    let last = bytes.count - end.count
    let start = (0...last).first { bytes[$0..<$0 + end.count].elementsEqual(end) }
    return start.map { $0 + end.count }
  }
}
