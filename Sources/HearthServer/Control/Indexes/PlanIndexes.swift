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
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    try request.checkMembers("parent", "structuredQuery")
    guard let query = request.wire.object("structuredQuery") else {
      throw APIError(.invalidArgument, detail: "/structuredQuery must be a query")
    }
    var message: RunQueryRequest = try FirestoreJSON.decode(
      JSON.members(["structuredQuery": .object(query)]).bytes)
    message.parent = request.documents(below: request.wire.string("parent"))
    return ReplyWriter.json(try firestore.planIndexes(for: message))
  }
}
