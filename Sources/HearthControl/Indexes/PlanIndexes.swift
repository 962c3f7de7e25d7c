import HearthErrors
import HearthFirestore
import HearthFirestoreJSON
import HearthFirestoreProtos
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire

/// Whether the listed indexes serve a query, whatever the switch `indexes` says: `{"parent": "",
/// "structuredQuery": {…}}`. The query is not run.
enum PlanIndexes: ServerOperation {
  struct Request: ServerOperationRequest {
    let query: RunQueryRequest

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("parent", "structuredQuery")
      query = try request.structuredQuery()
    }
  }

  static func run(
    _ request: Request, with firestore: Firestore
  ) async throws -> OutgoingReply {
    ReplyWriter.json(try firestore.planIndexes(for: request.query))
  }
}
