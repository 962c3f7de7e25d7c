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

  /// `…:bulkDelete` with `{"database": …, "collectionIds": […]}`. The one namespace that Firestore
  /// has is `""`: without ids of collections, everything in it.
  func bulkDelete(_ call: IncomingCall) async throws(APIError) -> OutgoingReply {
    guard let body = try? JSON.parse(call.body).object else {
      throw APIError(.invalidPayload, message: "Invalid JSON payload received.")
    }
    let database = try DatabaseName(body["database"]?.string ?? "")
    let collections = try Self.strings(body["collectionIds"] ?? body["collection_ids"])
    let namespaces = try Self.strings(body["namespaceIds"] ?? body["namespace_ids"])
    guard !collections.isEmpty || !namespaces.isEmpty else {
      throw APIError(
        .failedPrecondition,
        message: "collection_ids and namespace_ids cannot both be empty.")
    }
    if namespaces.isEmpty || namespaces.contains("") {
      try await firestore.bulkDelete(database, collectionIds: collections)
    }
    return ReplyWriter.json([:])
  }

  private static func strings(_ ids: JSON?) throws(APIError) -> [String] {
    guard let ids else { return [] }
    guard let elements = ids.array, elements.allSatisfy({ $0.string != nil }) else {
      throw APIError(.invalidPayload, message: "Ids must be an array of strings.")
    }
    return elements.compactMap(\.string)
  }
}
