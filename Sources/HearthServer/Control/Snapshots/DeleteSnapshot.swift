import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Deletes a snapshot; the project stays as it is.
enum DeleteSnapshot: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let snapshots = context.snapshots
    try await context.server.files.run { () throws(APIError) in
      try snapshots.delete(request.snapshot, of: request.project)
    }
    context.tellOfSnapshots(of: request.project)
    return ReplyWriter.json([:])
  }
}
