import HearthObservation
import HearthTransport

/// Removes the faults of a project.
enum ClearFaults: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    context.faults.clear(request.project)
    return context.faultsChanged(of: request.project)
  }
}
