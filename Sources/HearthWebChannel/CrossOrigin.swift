/// What a browser must see before a page of another origin may read an answer. The SDK asks with
/// credentials, so a wildcard would not do.
enum CrossOrigin {
  /// What the client reads off an answer where it is there. Naming them spares the page's console
  /// a complaint each time.
  private static let exposed = "X-HTTP-Session-Id, X-Client-Wire-Protocol, X-HTTP-Initial-Response"

  static func headers(for request: ChannelRequest) -> [ChannelHeader] {
    var headers = [ChannelHeader("Vary", "Origin")]
    guard let origin = request.headers["origin"] else { return headers }
    headers += [
      ChannelHeader("Access-Control-Allow-Origin", origin),
      ChannelHeader("Access-Control-Allow-Credentials", "true"),
      ChannelHeader("Access-Control-Expose-Headers", exposed),
    ]
    return headers
  }

  /// The answer to `OPTIONS`, which browsers ask where a request has headers of its own.
  static func preflight(_ request: ChannelRequest) -> ChannelReply {
    var headers = headers(for: request).filter { $0.name != "Vary" }
    headers += [
      ChannelHeader("Vary", "Origin, Access-Control-Request-Headers"),
      ChannelHeader("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
      ChannelHeader("Access-Control-Max-Age", "3600"),
    ]
    if let asked = request.headers["access-control-request-headers"] {
      headers.append(ChannelHeader("Access-Control-Allow-Headers", asked))
    }
    if request.headers["access-control-request-private-network"] != nil {
      headers.append(ChannelHeader("Access-Control-Allow-Private-Network", "true"))
    }
    return .whole(status: 204, headers: headers, body: [])
  }
}
