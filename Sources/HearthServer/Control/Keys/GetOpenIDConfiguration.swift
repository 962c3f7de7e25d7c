import HearthOperations
import HearthWire

/// The document of OpenID Connect Discovery, which leads libraries to the keys.
enum GetOpenIDConfiguration: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let base = context.hosts.baseURL(request.call.host)
    let project = PathTemplate.split(request.call.path).dropLast(2).last
      .map { PercentCoding.decode($0) }
    let issuer =
      "https://securetoken.google.com/\(project.nonEmpty ?? context.server.defaultProject)"
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
}
