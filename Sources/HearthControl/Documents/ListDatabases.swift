import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSeeds
import HearthTransport
import HearthWire

/// The databases of a project, and how many documents each has.
enum ListDatabases: ServerOperation {
  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    let project = request.project
    let counts = try await WorkPool.shared.run { () throws(APIError) in
      try firestore.databaseCounts(of: project)
    }
    return ReplyWriter.json(.members(["databases": .counts(counts)]))
  }
}

/// The collections below a document or the root of a database, and how many documents each has.
enum ListCollections: ServerOperation {
  private static let most = 1000

  static func run(
    _ request: ServerRequest, with firestore: Firestore
  ) async throws -> OutgoingReply {
    let parent = try ResourcePath.parent(request.documents(below: request.wire.query["parent"]))
    let counts = try await WorkPool.shared.run { () throws(APIError) in
      try firestore.collectionCounts(below: parent, limit: most)
    }
    return ReplyWriter.json(.members(["collections": .counts(counts)]))
  }
}

extension ServerRequest {
  /// The database in the path.
  var database: DatabaseName {
    DatabaseName(project: project, database: wire.path["databaseId"] ?? "(default)")
  }

  /// The full name of a document or of the root.
  func documents(below path: String?) -> String {
    path.nonEmpty.map { "\(database.documents)/\($0)" } ?? database.documents
  }
}

extension JSON {
  fileprivate static func counts(_ counts: [Firestore.Count]) -> JSON {
    .array(
      counts.map { .members(["id": .string($0.id), "documents": .int(Int64($0.documents))]) })
  }
}
