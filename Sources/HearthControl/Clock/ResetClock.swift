import HearthFirestore
import HearthOperations
import HearthSeeds
import HearthTime
import HearthTransport

/// Makes the time of a project that of the machine.
enum ResetClock: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: ClockControl
  ) async throws -> OutgoingReply {
    control.server.clocks.reset(request.project)
    try await control.expire(request.project)
    return ClockState.changed(request.project, server: control.server)
  }
}
