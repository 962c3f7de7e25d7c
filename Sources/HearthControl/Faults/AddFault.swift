import HearthErrors
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// Adds one fault to those of a project.
enum AddFault: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    try control.faults.add(.object(request.wire.body), to: request.project)
    return control.changed(of: request.project)
  }
}
