import HearthOperations
import HearthTransport

/// The time of a project.
enum GetClock: ServerOperation {
  static func run(
    _ request: ServerRequest, with server: ServerFacts
  ) async throws -> OutgoingReply {
    ReplyWriter.json(ClockState.json(of: request.project, server))
  }
}
