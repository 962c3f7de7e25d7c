import HTTPTypes
import HearthErrors
import HearthLimits
import HearthMailIn
import HearthOperations
import HearthTransport
import HearthWire

/// What the table says of a request of which only the head is there.
extension Routing {
  private static let waiting = RouteCatalogue.all.filter { $0.waiting == .always }
  private static let wait = "\(Route.wait)="

  /// What a port asks the table when a request comes.
  func rowsAhead(at port: ServedPort, _ limits: Limits) -> RowsAhead {
    RowsAhead {
      waits($0, at: port)
    } refuse: { error, head in
      refusal(error, of: head, at: port, limits: limits)
    }
  }

  /// Every request asks, so rows are looked up only where they may decide.
  private func waits(_ head: HTTPRequest, at port: ServedPort) -> Bool {
    guard let path = head.path else { return false }
    if Self.waiting.contains(where: {
      path.hasSameBytes(as: $0.template.description) && $0.method == head.method.rawValue
    }) {
      return true
    }
    guard Self.asksToWait(path) else { return false }
    return endpoint(of: head, at: port)?.route.waiting == .whereAsked
  }

  /// Bytes, because a search in a string would cost more than all else that is done for a request.
  private static func asksToWait(_ path: String) -> Bool {
    guard let mark = path.firstIndex(ofByte: UInt8(ascii: "?")) else { return false }
    return path.utf8[mark...].dropFirst().split(separator: UInt8(ascii: "&")).contains {
      $0.starts(with: wait.utf8)
    }
  }

  /// The bounds of the rows that have one of their own.
  func bounds(
    at port: ServedPort, within limits: Limits, isFirestoreAsProduction: Bool
  ) -> @Sendable (HTTPRequest) -> BodyBound? {
    { head in
      guard !Self.isOrdinary(head, within: limits) else { return nil }
      if FirestoreChannels.covers(head) { return BodyBound(limits.channelBody) }
      return switch endpoint(of: head, at: port)?.route.bodyBound {
      case .documents? where isFirestoreAsProduction:
        BodyBound(
          max(limits.body, Limit.requestSize.value),
          refusal: APIError(.invalidArgument, message: Limit.requestSize.refusal()))
      case .accounts? where limits.importBody > limits.body: BodyBound(limits.importBody)
      case .documents?, .accounts?, .ordinary?, nil: nil
      }
    }
  }

  /// Whether the head tells that the body keeps the bound of all requests, so that no row has to be
  /// looked up.
  private static func isOrdinary(_ head: HTTPRequest, within limits: Limits) -> Bool {
    if head.method == .get { return true }
    guard head.headerFields[.contentEncoding] == nil,
      let length = head.headerFields[.contentLength].flatMap({ Int($0) })
    else { return false }
    return length <= limits.body
  }

  /// The row of a request that is not read yet. Google's hosts share a port, and their rows begin
  /// with the host.
  private func endpoint(
    of head: HTTPRequest, at port: ServedPort, method: String? = nil
  ) -> Endpoint? {
    let path = head.path ?? "/"
    let host = head.authority.flatMap(Hosts.name(of:)) ?? ""
    for place in port.isOfGoogle ? ["/\(host)\(path)", path] : [path] {
      let call = IncomingCall(
        method: method ?? head.method.rawValue, target: place, host: head.authority,
        servedPort: port)
      switch match(call) {
      case .found(let endpoint, _): return endpoint
      // Those of other methods of the path are of the same API.
      case .wrongMethod(let allowed) where method == nil:
        return allowed.first.flatMap { endpoint(of: head, at: port, method: $0) }
      case .wrongMethod, .unknown: continue
      }
    }
    return nil
  }

  /// The refusal of a request that was not read to its end, in the words of its API.
  private func refusal(
    _ error: APIError, of head: HTTPRequest, at port: ServedPort, limits: Limits
  ) -> OutgoingReply {
    if let reply = MailAPIGateway.refusal(error, of: head, at: port) { return reply }
    let envelope = endpoint(of: head, at: port)?.envelope(.emulator)
    let plain: ErrorEnvelope = port.kind == .metadata ? .text : .identityToolkit
    var reply = ReplyWriter.refusal(error, as: envelope ?? plain)
    reply.headers[.vary] = "Origin"
    if let origin = head.headerFields[.origin] {
      reply.headers[.accessControlAllowOrigin] = origin
    }
    Cors.allowPrivateNetwork(head.headerFields, headers: &reply.headers)
    return reply
  }
}
