import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Gives a project what a snapshot holds; with `"keepClock": true` its clock stays.
enum RestoreSnapshot: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    try request.checkMembers("keepClock")
    let keepsClock = try request.flag("keepClock")
    let snapshots = control.snapshots
    let state = try await control.server.files.run { () throws(APIError) in
      try snapshots.restore(request.snapshot, of: request.project, keepsClock: keepsClock)
    }
    control.server.changes.publish([
      .event(project: request.project, name: "snapshot.restored", state)
    ])
    return ReplyWriter.json(state)
  }
}
