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
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try context.server.clocks.change(request.project, as: request.wire.body)
    // What has expired is gone when the answer comes.
    let firestore = context.exports.firestore
    try await firestore.timeToLive.expire(request.project, firestore: firestore)
    return ClockState.changed(request.project, server: context.server)
  }
}
