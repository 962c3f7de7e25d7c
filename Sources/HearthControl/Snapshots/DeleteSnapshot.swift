import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Deletes a snapshot; the project stays as it is. With `createdAt` only the one that was made then is
/// deleted, and not another one that has its name by now.
///
/// - Throws: ABORTED for another one.
enum DeleteSnapshot: ServerOperation {
  struct Request: ServerOperationRequest {
    let project: String
    let snapshot: String
    /// As the list shows it; nil for whichever has the name.
    let createdAt: String?

    init(_ request: ServerRequest) {
      (project, snapshot) = (request.project, request.snapshot)
      createdAt = request.wire.query["createdAt"]
    }
  }

  static func run(
    _ request: Request, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let snapshots = control.snapshots
    try await control.server.files.run { () throws(APIError) in
      try snapshots.delete(
        request.snapshot, of: request.project, createdAt: request.createdAt)
    }
    control.tellOfSnapshots(of: request.project)
    return ReplyWriter.json([:])
  }
}
