import HearthErrors
import HearthFirestore
import HearthWire

/// The emulator's own endpoints that delete many documents.
extension FirestoreGateway {
  /// `DELETE …/documents/{path}`: a document with what lies below it, or a collection.
  func deleteSubtree(
    _ database: DatabaseName, _ call: IncomingCall
  ) async throws(APIError) -> OutgoingReply {
    // `/emulator/v1/projects/p/databases/d/documents/` comes first.
    let parts = call.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(8)
    let segments = parts.map { PercentCoding.decode($0) }
    try await firestore.deleteSubtree(
      try ResourcePath(([database.documents] + segments).joined(separator: "/")))
    return ReplyWriter.json([:])
  }

  /// `…:bulkDelete` with `{"database": …, "collectionIds": […]}`; without ids, everything.
  func bulkDelete(
    _ database: DatabaseName?, _ call: IncomingCall
  ) async throws(APIError) -> OutgoingReply {
    guard let body = try? JSON.parse(call.body).object else {
      throw APIError(.invalidPayload, message: "Invalid JSON payload received.")
    }
    var target = database
    if let name = body["database"]?.string.nonEmpty { target = try DatabaseName(name) }
    guard let target else {
      throw APIError(.invalidPayload, message: "The database is missing.")
    }
    let ids = body["collectionIds"] ?? body["collection_ids"] ?? []
    guard let names = ids.array, names.allSatisfy({ $0.string != nil }) else {
      throw APIError(.invalidPayload, message: "collection_ids must be an array of strings.")
    }
    try await firestore.bulkDelete(target, collectionIds: names.compactMap(\.string))
    return ReplyWriter.json([:])
  }
}
