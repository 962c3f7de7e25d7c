import HearthTransport

/// The time of a project.
enum GetClock: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.json(ClockState.json(of: request.project, context.server))
  }
}
