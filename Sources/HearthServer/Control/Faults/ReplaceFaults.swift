import HearthErrors
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// Sets the faults of a project.
enum ReplaceFaults: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try context.faults.replace(request.project, with: .object(request.wire.body))
    return context.faultsChanged(of: request.project)
  }
}
