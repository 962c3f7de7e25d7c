import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Gives a project what a snapshot holds; with `"keepClock": true` its clock stays.
enum RestoreSnapshot: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try request.checkMembers("keepClock")
    let keepsClock = try request.flag("keepClock")
    let snapshots = context.snapshots
    let state = try await context.server.files.run { () throws(APIError) in
      try snapshots.restore(request.snapshot, of: request.project, keepsClock: keepsClock)
    }
    context.server.changes.publish([
      .event(project: request.project, name: "snapshot.restored", state)
    ])
    return ReplyWriter.json(state)
  }
}
