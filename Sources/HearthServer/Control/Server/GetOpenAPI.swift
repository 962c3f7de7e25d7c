import HearthIdentityToolkit
import HearthTransport

/// The description of the whole API.
enum GetOpenAPI: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.json(
      OpenAPI.document(
        RouteCatalogue.all, baseURL: context.hosts.baseURL(request.call)))
  }
}
