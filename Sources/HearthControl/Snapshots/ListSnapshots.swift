import HearthTransport
import HearthWire

/// The snapshots of a project, in the order in which they were made.
enum ListSnapshots: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let list = try control.snapshots.list(request.project)
    return ReplyWriter.json(.members(["snapshots": .array(list)]))
  }
}
