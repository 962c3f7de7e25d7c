import HearthErrors
import HearthOperations
import HearthTransport
import HearthWire

/// Makes a snapshot before something that cannot be taken back: `{"reason": "delete-users"}`. Its
/// name begins with `before-`; of these the latest five are kept.
enum SaveAutomaticSnapshot: ServerOperation {
  private static let longestReason = 24

  struct Request: ServerOperationRequest {
    let project: String
    let reason: String

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("reason")
      guard let reason = request.wire.string("reason").nonEmpty,
        reason.utf8.count <= longestReason,
        reason.utf8.allSatisfy({ (97...122).contains($0) || $0 == 45 })
      else {
        throw APIError(
          .invalidArgument,
          detail: "/reason must have 1 to \(longestReason) lower-case letters and hyphens")
      }
      (project, self.reason) = (request.project, reason)
    }
  }

  static func run(
    _ request: Request, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let snapshots = control.snapshots
    let state = try await control.server.files.run { () throws(APIError) in
      try snapshots.saveAutomatic(before: request.reason, of: request.project)
    }
    control.tellOfSnapshots(of: request.project)
    return ReplyWriter.json(state)
  }
}
