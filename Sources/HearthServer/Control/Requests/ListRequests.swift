import HearthOperations
import HearthWire

/// The request log of a project. What the console itself asked is shown with `all=true` only.
enum ListRequests: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.json(
      context.recorder.requests.json(
        of: request.project, withConsole: request.wire.query["all"] == "true"))
  }
}
