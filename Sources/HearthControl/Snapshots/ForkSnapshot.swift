import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Makes a new project of what a snapshot holds: `{"to": "demo-x"}`.
enum ForkSnapshot: ServerOperation {
  struct Request: ServerOperationRequest {
    let project: String
    let snapshot: String
    let newProject: String

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("to")
      guard let other = request.wire.string("to"), ProjectID.isUsable(other) else {
        throw APIError(.invalidArgument, detail: "/to must be the id of a project, such as demo-x")
      }
      (project, snapshot, newProject) = (request.project, request.snapshot, other)
    }
  }

  static func run(
    _ request: Request, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let snapshots = control.snapshots
    try await control.server.files.run { () throws(APIError) in
      try snapshots.fork(request.snapshot, of: request.project, to: request.newProject)
    }
    return ReplyWriter.json(.members(["project": .string(request.newProject)]))
  }
}
