package import HTTPTypes
import HearthWire

/// Cross-origin rules. The API is open to every page, as SDKs in browsers need it; our control
/// endpoints, which show captured mails, only to pages of this machine.
package enum Cors {
  /// The answer to any `OPTIONS` request.
  package static func preflight(
    _ call: IncomingCall, isControl: Bool, sendsCredentials: Bool = false
  ) -> OutgoingReply {
    var headers = HTTPFields()
    guard !isControl || !isForeign(call) else { return OutgoingReply(status: 403) }
    if let origin = call.headers[.origin] { headers[.accessControlAllowOrigin] = origin }
    headers[.accessControlAllowMethods] = "GET,HEAD,PUT,PATCH,POST,DELETE"
    if sendsCredentials { allowCredentials(&headers) }
    if let requested = call.headers[.accessControlRequestHeaders].nonEmpty {
      headers[.accessControlAllowHeaders] = requested
    }
    headers[.vary] = "Origin, Access-Control-Request-Headers"
    // A cache must not give one page the answer for another.
    allowPrivateNetwork(call.headers, headers: &headers)
    return OutgoingReply(status: 204, headers: headers)
  }

  /// Adds what a browser must see before it lets a page read the answer.
  package static func allow(
    _ call: IncomingCall, isControl: Bool, sendsCredentials: Bool = false,
    headers: inout HTTPFields
  ) {
    allowPrivateNetwork(call.headers, headers: &headers)
    headers[.vary] = "Origin"
    guard let origin = call.headers[.origin] else { return }
    if !isControl || !isForeign(call) {
      headers[.accessControlAllowOrigin] = origin
      if sendsCredentials { allowCredentials(&headers) }
    }
  }

  /// Firestore's SDK in browsers makes its calls with credentials; Auth's does not.
  private static func allowCredentials(_ headers: inout HTTPFields) {
    headers[.accessControlAllowCredentials] = "true"
  }

  /// Private Network Access: where a browser asks, it needs this header besides those of CORS.
  package static func allowPrivateNetwork(_ request: HTTPFields, headers: inout HTTPFields) {
    if request[.accessControlRequestPrivateNetwork] != nil {
      headers[.accessControlAllowPrivateNetwork] = "true"
    }
  }

  /// Whether it has only what origins of `http` and `https` are made of (RFC 6454 section 6.2).
  private static func isPlain(_ origin: String) -> Bool {
    origin.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".:-_[]/".utf8.contains($0) }
      && origin.utf8.count { $0 == UInt8(ascii: "/") } == 2
  }

  /// Whether the request comes from a page that is neither this machine's nor our own. Whether the
  /// host that the request claims to be for is one of ours is asked elsewhere. A request without an
  /// origin is not counted as a page's.
  package static func isForeign(_ call: IncomingCall) -> Bool {
    guard let origin = call.headers[.origin] else { return false }
    // A parser may take less of it for the host than a browser.
    guard let url = WebURL(origin), isPlain(origin) else { return true }
    let own = (call.host ?? "").lowercased()
    if ["http://" + own, "https://" + own].contains(origin.lowercased()) { return false }
    return !Hosts.isLoopback(url.host)
  }
}

extension HTTPField.Name {
  static let accessControlRequestPrivateNetwork = field("Access-Control-Request-Private-Network")
  static let accessControlAllowPrivateNetwork = field("Access-Control-Allow-Private-Network")
  package static let apiKey = field("x-goog-api-key")
  /// Who a call comes from, where it is not an app: the console says `console`.
  package static let hearthClient = field("X-Hearth-Client")
  /// Who answers in another's place.
  package static let hearth = field("X-Hearth")
  package static let secFetchSite = field("Sec-Fetch-Site")
  package static let firebaseLocale = field("X-Firebase-Locale")
  package static let installation = field("X-Goog-Firebase-Installations-Auth")
  package static let appCheck = field("X-Firebase-AppCheck")
  package static let clientVersion = field("X-Client-Version")
  package static let googClient = field("X-Goog-Api-Client")

  private static func field(_ name: String) -> HTTPField.Name {
    guard let field = HTTPField.Name(name) else { preconditionFailure("not a header: \(name)") }
    return field
  }
}
