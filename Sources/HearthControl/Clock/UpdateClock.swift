import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSeeds
import HearthTime
import HearthTransport
import HearthWire

/// Advances, sets, stops or starts the clock of a project.
enum UpdateClock: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: ClockControl
  ) async throws -> OutgoingReply {
    try control.server.clocks.change(request.project, as: request.wire.body)
    try await control.expire(request.project)
    return ClockState.changed(request.project, server: control.server)
  }
}
