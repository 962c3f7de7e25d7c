import HearthErrors
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// Adds one fault to those of a project.
enum AddFault: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try context.faults.add(.object(request.wire.body), to: request.project)
    return context.faultsChanged(of: request.project)
  }
}
