import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Gives a project what a snapshot holds; with `"keepClock": true` its clock stays.
enum RestoreSnapshot: ServerOperation {
  struct Request: ServerOperationRequest {
    let project: String
    let snapshot: String
    let keepsClock: Bool

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("keepClock")
      (project, snapshot) = (request.project, request.snapshot)
      keepsClock = try request.flag("keepClock")
    }
  }

  static func run(
    _ request: Request, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let snapshots = control.snapshots
    let state = try await control.server.files.run { () throws(APIError) in
      try snapshots.restore(
        request.snapshot, of: request.project, keepsClock: request.keepsClock)
    }
    control.server.changes.publish([
      .event(project: request.project, name: "snapshot.restored", state)
    ])
    return ReplyWriter.json(state)
  }
}
