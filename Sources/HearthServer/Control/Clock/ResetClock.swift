import HearthFirestore
import HearthOperations
import HearthSeeds
import HearthTime
import HearthTransport

/// Makes the time of a project that of the machine.
enum ResetClock: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    context.server.clocks.reset(request.project)
    let firestore = context.exports.firestore
    try await firestore.timeToLive.expire(request.project, firestore: firestore)
    return ClockState.changed(request.project, server: context.server)
  }
}
