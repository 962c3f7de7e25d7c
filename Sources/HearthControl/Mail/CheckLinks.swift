import HTTPTypes
import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire
import NIOCore
import NIOPosix

/// Whether links to this machine lead anywhere: `{"links": ["http://localhost:3000/welcome"]}`.
///
/// `closed` is one at whose port nobody listens, `unknown` one of Hearth's own that no page is for, and
/// `open` any other. Nothing is sent there, as some links work only once, and links to other machines
/// are left out.
enum CheckLinks: ServerOperation {
  private static let most = 50

  static func run(
    _ request: ServerRequest, with parts: LinkParts
  ) async throws -> OutgoingReply {
    try request.checkMembers("links")
    try request.requireOwnPage()
    guard !parts.isShared, parts.hosts.isOwnPeer(request.call.remoteAddress) else {
      throw APIError(.forbiddenHost, detail: "links are checked for this machine only")
    }
    guard let links = request.wire.strings("links"), links.count <= most else {
      throw APIError(
        .invalidArgument, detail: "/links must be a list of up to \(most) addresses")
    }
    let own = await parts.ownPorts()
    var found: [JSON] = []
    var known: [String: Bool] = [:]
    for link in links {
      guard let place = OutgoingHosts.placeOnThisMachine(link) else { continue }
      let address = "\(place.host):\(place.port)"
      let isOpen: Bool
      if let seen = known[address] {
        isOpen = seen
      } else {
        isOpen = await listens(place)
        known[address] = isOpen
      }
      let isKnown = own.contains(place.port) ? await isPage(link, of: request) : true
      let state = isOpen ? isKnown ? "open" : "unknown" : "closed"
      found.append(["link": .string(link), "state": .string(state)])
    }
    return ReplyWriter.json(.members(["links": .array(found)]))
  }

  /// Whether a connection is taken. It is closed at once.
  private static func listens(_ place: (host: String, port: Int)) async -> Bool {
    let addresses = place.host == "localhost" ? ["127.0.0.1", "::1"] : [place.host]
    for address in addresses {
      let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(.seconds(1))
        .connect(to: try SocketAddress(ipAddress: address, port: place.port)).get()
      guard let channel else { continue }
      try? await channel.close()
      return true
    }
    return false
  }

  /// Whether there is such a path. No endpoint has this method, so nothing is done: those of a path
  /// that is known say that the method is wrong. Other paths may be those of a back end that is played.
  private static func isPage(_ link: String, of request: ServerRequest) async -> Bool {
    guard let start = link.firstRange(of: "://"),
      let path = link[start.upperBound...].firstIndex(of: "/"),
      ["/emulator/", "/__/", "/console/"].contains(where: { link[path...].hasPrefix($0) })
    else { return true }
    let reply = await request.respond(
      IncomingCall(
        method: "TRACE", target: String(link[path...].prefix { $0 != "#" }),
        host: request.call.host, remoteAddress: request.call.remoteAddress,
        servedPort: request.call.servedPort))
    return reply.status != 404
  }
}

/// What the check of links works with.
struct LinkParts: ServerParts {
  let hosts: Hosts
  let isShared: Bool
  let addresses: @Sendable () async -> Addresses?

  static func parts(of server: ServerContext) -> LinkParts {
    LinkParts(
      hosts: server.network.hosts, isShared: server.projects.sharing != nil,
      addresses: server.overview.addresses)
  }

  /// Those that answer with pages.
  func ownPorts() async -> Set<Int> {
    guard let addresses = await addresses() else { return [] }
    return [addresses.authPort, addresses.firestorePort, addresses.consolePort]
  }
}
