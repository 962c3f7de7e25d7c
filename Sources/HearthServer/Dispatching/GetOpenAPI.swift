import HearthControl
import HearthTransport

/// The description of the whole API.
enum GetOpenAPI: ServerOperation {
  static func run(
    _ request: ServerRequest, with hosts: Hosts
  ) async throws -> OutgoingReply {
    ReplyWriter.json(
      OpenAPI.document(
        RouteCatalogue.all, baseURL: hosts.baseURL(request.call)))
  }
}
