import HTTPTypes
import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Finds what answers a request, and who may reach what controls the server. The table never
/// changes.
struct Routing: Sendable {
  typealias Match = RouteTable<Endpoint>.Match

  private let table = RouteTable(RouteCatalogue.endpoints)
  private let hosts: Hosts

  init(_ hosts: Hosts) { self.hosts = hosts }

  /// SDKs put Google's host name in front of the path; who intercepts TLS does not. The first
  /// prefix that fits counts.
  private static let hostSegments: [(prefix: Substring, host: String)] = [
    ("/v1/accounts", "/identitytoolkit.googleapis.com"),
    ("/v1/projects", "/identitytoolkit.googleapis.com"),
    ("/v1/recaptchaParams", "/identitytoolkit.googleapis.com"),
    ("/v1/sessionCookiePublicKeys", "/identitytoolkit.googleapis.com"),
    ("/v2/", "/identitytoolkit.googleapis.com"),
    ("/v1/token", "/securetoken.googleapis.com"),
    ("/identitytoolkit/v3/", "/www.googleapis.com"),
    ("/robot/v1/", "/www.googleapis.com"),
    ("/service_accounts/v1/", "/www.googleapis.com"),
    ("/oauth2/v", "/www.googleapis.com"),
    ("/computeMetadata/", "/metadata.google.internal"),
  ]

  /// Google's documentation has the methods of administrators at `/admin/v2/` too.
  private static let administration = "/admin/v2/"

  /// The row of a call. What is unknown here may be a path of a back end that the emulator plays.
  /// The port of one dialect has no rows at all.
  func match(_ call: IncomingCall) -> Match {
    if call.servedPort.dialectPort != nil { return .unknown }
    if call.servedPort.isOfGoogle { return matchGoogle(call) }
    if call.path == "/" { return matchRoot(call) }
    let direct = table.match(method: call.method, path: call.path)
    guard case .unknown = direct else { return direct }
    if let path = Self.plainPath(of: call) { return table.match(method: call.method, path: path) }
    for segment in Self.hostSegments where call.path.hasPrefix(segment.prefix) {
      return table.match(method: call.method, path: Substring(segment.host + call.path))
    }
    return direct
  }

  /// The path at `/v2/`, with the host, of one at `/admin/v2/`.
  private static func plainPath(of call: IncomingCall) -> Substring? {
    let host = "/identitytoolkit.googleapis.com"
    let path = call.path.hasPrefix(host) ? call.path.dropFirst(host.count) : call.path
    guard path.hasPrefix(administration) else { return nil }
    return Substring(host + "/v2/" + path.dropFirst(administration.count))
  }

  /// Rows that begin with a host or with `/__/`, and Firestore's; never what controls the server.
  private func matchGoogle(_ call: IncomingCall) -> Match {
    guard !call.path.hasPrefix("/emulator/") else { return .unknown }
    let path = Self.plainPath(of: call) ?? call.path
    let match = table.match(method: call.method, path: path)
    guard case .found(let endpoint, _) = match else { return match }
    if case .firestore = endpoint.handler { return match }
    guard endpoint.route.credential != .control else { return .unknown }
    let first = call.path.dropFirst().prefix { $0 != "/" }
    return first.contains(".") || first == "__" || first == "idp" ? match : .unknown
  }

  /// `GET /` is the one path that each port answers in its own way.
  private func matchRoot(_ call: IncomingCall) -> Match {
    let method = call.method == "HEAD" ? "GET" : call.method
    let page = call.servedPort.kind == .console ? Substring("/console/") : "/"
    let match = table.match(method: method, path: page)
    // With other methods the root may be a path of a dialect.
    if case .wrongMethod = match { return .unknown }
    return match
  }

  /// Whether the path is one of Google's own: of Identity Toolkit, Secure Token or Firestore.
  func isOfGoogle(_ call: IncomingCall) -> Bool {
    let isIdentityToolkit = [
      "/identitytoolkit.googleapis.com/", "/securetoken.googleapis.com/", "/v1/accounts",
      "/v2/accounts", "/identitytoolkit/v3/", "/www.googleapis.com/identitytoolkit/v3/",
    ].contains(where: call.path.hasPrefix)
    return isIdentityToolkit
      || call.path.hasPrefix("/v1/projects/") && call.path.contains("/databases")
  }

  /// Answers a preflight. It has a method of its own and no credential, so it is answered for the
  /// request that it announces.
  func preflight(_ call: IncomingCall, match: Match) -> OutgoingReply {
    let wanted = table.match(
      method: call.headers[.accessControlRequestMethod] ?? "GET", path: call.path)
    return Cors.preflight(
      call, isControl: match.isControl || wanted.isControl,
      sendsCredentials: wanted.sendsCredentials)
  }

  /// Control endpoints answer to this machine only.
  ///
  /// A web page can send requests to this machine, and can have its own host name lead here, which
  /// makes it one of the same origin: so both `Origin` and `Host` count (record 0008). The address
  /// of the client counts where the port is open to a network.
  func checkOrigin(_ call: IncomingCall) throws(APIError) {
    guard hosts.accepts(call.host) else {
      throw APIError(
        .forbiddenHost,
        detail:
          "this endpoint answers only to loopback names and to those given with --allowed-host")
    }
    if hosts.isClosed(to: call.remoteAddress) {
      throw APIError(
        .forbiddenHost,
        detail: "this endpoint answers only to the machine that runs Hearth; --lan-control opens it"
      )
    }
    if Cors.isForeign(call) {
      throw APIError(
        .forbiddenHost, detail: "this endpoint does not answer to pages of other origins")
    }
  }
}

extension RouteTable<Endpoint>.Match {
  /// Whether a control endpoint answers.
  var isControl: Bool {
    if case .found(let endpoint, _) = self { endpoint.route.credential == .control } else { false }
  }

  /// Whether browsers send their credentials along: Firestore's SDK does, Auth's does not.
  var sendsCredentials: Bool {
    if case .found(let endpoint, _) = self { endpoint.sendsCredentials } else { false }
  }

  /// How a refusal is written. A call without a row is refused as Identity Toolkit refuses.
  func envelope(_ answers: Switches.Program) -> ErrorEnvelope {
    if case .found(let endpoint, _) = self { endpoint.envelope(answers) } else { .identityToolkit }
  }
}
