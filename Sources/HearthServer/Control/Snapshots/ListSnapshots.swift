import HearthTransport
import HearthWire

/// The snapshots of a project, in the order in which they were made.
enum ListSnapshots: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let list = try context.snapshots.list(request.project)
    return ReplyWriter.json(.members(["snapshots": .array(list)]))
  }
}
