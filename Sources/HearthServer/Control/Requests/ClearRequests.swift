import HearthObservation
import HearthTransport

/// Empties the request log of a project.
enum ClearRequests: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    context.recorder.requests.clear(request.project)
    return try await ListRequests.run(request, in: context)
  }
}
