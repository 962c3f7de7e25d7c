import HTTPTypes
import HearthOperations
import HearthWire
import Logging

/// Finds what answers a request that was sent to Google, by its host. What nobody plays is refused: no
/// request is ever sent on.
struct GoogleGateway: Sendable {
  /// What answers a request.
  enum Place {
    /// A row of the route table. The path of the call begins with the host, unless the row's does not.
    case row(IncomingCall)
    case mailAPI
    /// Nothing. The path of the call begins with the host.
    case nothing(OutgoingReply, IncomingCall)
  }

  let hosts: GoogleHosts
  let identity: GoogleIdentity
  let refused: RefusedHosts

  init(_ hosts: GoogleHosts, _ identity: GoogleIdentity, _ logger: Logger) {
    self.hosts = hosts
    self.identity = identity
    refused = RefusedHosts(logger)
  }

  // MARK: Requests

  func place(of call: IncomingCall) -> Place {
    if call.servedPort.kind == .metadata {
      return .row(call.at("/\(GoogleHosts.metadata)\(call.path)"))
    }
    if call.path.hasPrefix(Self.toMetadata) {
      return .row(call.at("/" + call.path.dropFirst("http://".count)))
    }
    let host = call.host.flatMap(Hosts.name) ?? ""
    let below = call.at("/\(host)\(call.path)")
    switch hosts[host: host] {
    case .routes: return .row(below)
    case .firestore: return .row(call)
    case .authDomain:
      return call.path.hasPrefix("/__/") ? .row(call) : .nothing(notPlayed(host), below)
    case .mailAPI: return .mailAPI
    case .notPlayed:
      refused.note(host, .notPlayed)
      return .nothing(notPlayed(host), below)
    case nil:
      refused.note(call.host, .request)
      return .nothing(unknown(call.host), below)
    }
  }

  /// A request to a proxy names the whole address. Only the metadata server speaks plain HTTP.
  private static let toMetadata = "http://\(GoogleHosts.metadata)/"

  private func notPlayed(_ host: String) -> OutgoingReply {
    Self.refusal(501, "UNIMPLEMENTED", Self.words(host))
  }

  private func unknown(_ host: String?) -> OutgoingReply {
    let name = RefusedHosts.printable(host)
    return Self.refusal(
      421, "NOT_FOUND", "\(name) is not a host that Hearth answers for. Nothing was sent to it.")
  }

  private static func words(_ host: String) -> String {
    "Hearth does not emulate \(host). Nothing was sent to it."
  }

  private static func refusal(_ code: Int, _ status: String, _ message: String) -> OutgoingReply {
    var reply = ReplyWriter.json(
      .members([
        "error": .members([
          "code": .int(Int64(code)), "message": .string(message), "status": .string(status),
        ])
      ]))
    reply.status = code
    return reply
  }

  // MARK: gRPC

  /// Whether the methods of Firestore answer at this host.
  func servesFirestore(_ authority: String) -> Bool {
    Hosts.name(of: authority).flatMap { hosts[host: $0] } == .firestore
  }

  /// The status of a call to another service.
  func refusal(of authority: String) -> GRPCStatus {
    let host = RefusedHosts.printable(Hosts.name(of: authority))
    refused.note(host, .notPlayed)
    return .unimplemented(Self.words(host))
  }

  // MARK: Connections

  /// Whether the name is one that the certificate is for.
  func accepts(name: String?) -> Bool {
    if let name, hosts[host: name] != nil { return true }
    refused.note(name, .tls)
    return false
  }
}

extension Dispatcher {
  /// Answers a request that was sent to Google.
  func respond(asGoogle call: IncomingCall, _ google: GoogleGateway) async -> OutgoingReply {
    switch google.place(of: call) {
    case .row(let call): return await dispatch(call)
    case .mailAPI: return await mailAPI.respond(to: call)
    case .nothing(var reply, let call):
      if call.method == "OPTIONS" { return Cors.preflight(call, isControl: false) }
      Cors.allow(call, isControl: false, &reply.headers)
      var record = CallRecord()
      record.operation = "google.notPlayed"
      admission.note(call, record, reply)
      return reply
    }
  }
}

extension IncomingCall {
  /// The same call to another path.
  func at(_ path: String) -> IncomingCall {
    var call = IncomingCall(
      method: method, target: query.isEmpty ? path : "\(path)?\(query)", headers: headers,
      host: host, body: body, remoteAddress: remoteAddress, servedPort: servedPort,
      isSecure: isSecure)
    call.replayOf = replayOf
    return call
  }
}

extension OutgoingReply {
  /// Says in a header who answers in Google's place.
  func marked(for port: ServedPort) -> OutgoingReply {
    guard port.isOfGoogle else { return self }
    var reply = self
    reply.headers[.hearth] = "as-google"
    return reply
  }
}
