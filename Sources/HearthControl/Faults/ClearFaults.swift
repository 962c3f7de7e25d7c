import HearthObservation
import HearthTransport

/// Removes the faults of a project.
enum ClearFaults: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    control.faults.clear(request.project)
    return control.changed(of: request.project)
  }
}
