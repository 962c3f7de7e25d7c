import HearthOperations
import HearthTransport
import HearthWire

/// The document of OpenID Connect Discovery, which leads libraries to the keys.
enum GetOpenIDConfiguration: ServerOperation {
  struct Parts: ServerParts {
    let hosts: Hosts
    let server: ServerFacts

    static func parts(of server: ServerContext) -> Parts {
      Parts(hosts: server.network.hosts, server: server.server)
    }
  }

  static func run(
    _ request: ServerRequest, with parts: Parts
  ) async throws -> OutgoingReply {
    let base = Self.base(of: request.call, parts.hosts)
    let project = String(request.call.path).splitAtSlashes.dropLast(2).last
      .map { PercentCoding.decode($0) }
    let issuer =
      "https://securetoken.google.com/\(project.nonEmpty ?? parts.server.defaultProject)"
    let jwks = "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
    return ReplyWriter.cached(
      .members([
        "issuer": .string(issuer),
        "jwks_uri": .string(base + jwks),
        "response_types_supported": ["id_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
      ]))
  }

  /// What the address of the keys begins with. Where Google's host was called, it is Google's, without
  /// the host in the path: libraries want https.
  private static func base(of call: IncomingCall, _ hosts: Hosts) -> String {
    let name = (call.host ?? "").prefix { $0 != ":" }.lowercased()
    return name == "securetoken.google.com" ? "https:/" : hosts.baseURL(call)
  }
}
