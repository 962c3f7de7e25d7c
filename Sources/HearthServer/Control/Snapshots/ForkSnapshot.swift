import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Makes a new project of what a snapshot holds: `{"to": "demo-x"}`.
enum ForkSnapshot: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    try request.checkMembers("to")
    guard let other = request.wire.string("to"), ProjectID.isUsable(other) else {
      throw APIError(.invalidArgument, detail: "/to must be the id of a project, such as demo-x")
    }
    let snapshots = control.snapshots
    try await control.server.files.run { () throws(APIError) in
      try snapshots.fork(request.snapshot, of: request.project, to: other)
    }
    return ReplyWriter.json(.members(["project": .string(other)]))
  }
}
