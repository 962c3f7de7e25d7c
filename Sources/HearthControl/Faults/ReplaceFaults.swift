import HearthErrors
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// Sets the faults of a project.
enum ReplaceFaults: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    try control.faults.replace(request.project, with: .object(request.wire.body))
    return control.changed(of: request.project)
  }
}
