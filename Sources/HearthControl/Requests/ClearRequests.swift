import HearthObservation
import HearthTransport

/// Empties the request log of a project.
enum ClearRequests: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: RequestControl
  ) async throws -> OutgoingReply {
    control.log.clear(request.project)
    return try await ListRequests.run(request, with: control)
  }
}
