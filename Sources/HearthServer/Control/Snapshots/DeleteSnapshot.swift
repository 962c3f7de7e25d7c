import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Deletes a snapshot; the project stays as it is.
enum DeleteSnapshot: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let snapshots = control.snapshots
    try await control.server.files.run { () throws(APIError) in
      try snapshots.delete(request.snapshot, of: request.project)
    }
    control.tellOfSnapshots(of: request.project)
    return ReplyWriter.json([:])
  }
}
