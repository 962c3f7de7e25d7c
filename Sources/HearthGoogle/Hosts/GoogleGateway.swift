import HTTPTypes
import HearthIdentityProviders
package import HearthObservation
import HearthOperations
package import HearthTLS
package import HearthTransport
import HearthWire
package import Logging

/// Finds what answers a request that was sent to Google, by its host. What nobody plays is refused: no
/// request is ever sent on.
package struct GoogleGateway: Sendable {
  /// What answers a request.
  package enum Place {
    /// A row of the route table. The path of the call begins with the host, unless the row's does not.
    case row(IncomingCall)
    case mailAPI
    /// Nothing. The path of the call begins with the host.
    case nothing(OutgoingReply, IncomingCall)
  }

  package let hosts: GoogleHosts
  package let identity: GoogleIdentity
  package let refused: RefusedHosts

  package init(_ hosts: GoogleHosts, identity: GoogleIdentity, logger: Logger) {
    self.hosts = hosts
    self.identity = identity
    refused = RefusedHosts(logger)
  }

  // MARK: Requests

  package func place(of call: IncomingCall) -> Place {
    if call.servedPort.kind == .metadata {
      return .row(call.at("/\(GoogleHosts.metadata)\(call.path)"))
    }
    let host = call.host.flatMap(Hosts.name) ?? ""
    // By way of the proxy.
    if GoogleHosts.isMetadata(host) {
      return .row(call.at("/\(GoogleHosts.metadata)\(call.path)"))
    }
    let below = call.at("/\(host)\(call.path)")
    switch hosts[host: host] {
    case .routes:
      if let own = ProviderHosts.path(of: host, call.path),
        ProviderHosts.isAboutPerson(call.path, fields: call.fields)
      {
        return .row(call.at(own))
      }
      return .row(below)
    case .identityProvider:
      if let own = ProviderHosts.path(of: host, call.path) { return .row(call.at(own)) }
      refused.note(host, way: .notPlayed)
      return .nothing(notPlayed(host), below)
    case .firestore: return .row(call)
    case .authDomain:
      return call.path.hasPrefix("/__/") ? .row(call) : .nothing(notPlayed(host), below)
    case .mailAPI: return .mailAPI
    case .notPlayed:
      refused.note(host, way: .notPlayed)
      return .nothing(notPlayed(host), below)
    case nil:
      refused.note(call.host, way: .request)
      return .nothing(unknown(call.host), below)
    }
  }

  private func notPlayed(_ host: String) -> OutgoingReply {
    Self.refusal(501, status: "UNIMPLEMENTED", message: Self.words(host))
  }

  private func unknown(_ host: String?) -> OutgoingReply {
    let name = RefusedHosts.printable(host)
    return Self.refusal(
      421, status: "NOT_FOUND",
      message: "\(name) is not a host that Hearth answers for. Nothing was sent to it.")
  }

  private static func words(_ host: String) -> String {
    "Hearth does not emulate \(host). Nothing was sent to it."
  }

  private static func refusal(_ code: Int, status: String, message: String) -> OutgoingReply {
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

  /// The status of a call at a host where the methods of Firestore do not answer; nil where they do.
  package func refusal(ofCallAt authority: String) -> GRPCStatus? {
    if Hosts.name(of: authority).flatMap({ hosts[host: $0] }) == .firestore { return nil }
    let host = RefusedHosts.printable(Hosts.name(of: authority))
    refused.note(host, way: .notPlayed)
    return .unimplemented(Self.words(host))
  }

  // MARK: Connections

  /// Whether the name is one that the certificate is for.
  package func accepts(name: String?) -> Bool {
    if let name, hosts[host: name] != nil { return true }
    refused.note(name, way: .tls)
    return false
  }
}

extension IncomingCall {
  /// The fields of its form and its query.
  fileprivate var fields: FormFields {
    let form = body.count > 1 << 16 ? "" : String(decoding: body, as: UTF8.self)
    return FormFields(
      FormFields(parsing: query).pairs + (form.isEmpty ? [] : FormFields(parsing: form).pairs))
  }
}
