package import HearthErrors

/// Deletes of many documents, as the emulator's own endpoints offer them. Listeners hear of each.
extension Firestore {
  /// Each batch is a commit of its own, so that others are served in between.
  private static let batchSize = 500

  /// Deletes a document with all that lies below it, or a collection.
  package func deleteSubtree(_ path: ResourcePath) async throws(APIError) {
    var deleted = Deleted()
    try await deleteBatches(in: path.database, counting: &deleted) {
      documents, limit throws(APIError) in
      var found: [Documents.StoredRow] = []
      if path.isDocument, let row = try documents.row(at: path) { found.append(row) }
      let collections = try documents.collections(below: path, collectionId: nil)
      try documents.collect(collections, upTo: limit, into: &found)
      return found
    }
  }

  /// Deletes the documents of all collections with these ids, at any depth; without ids, all.
  package func bulkDelete(
    _ database: DatabaseName, collectionIds: [String]
  ) async throws(APIError) {
    guard !collectionIds.isEmpty else { return try await clear(database) }
    _ = try await deleteGroups(collectionIds, of: database)
  }

  /// How many documents were deleted, and their sizes together as production counts bytes.
  struct Deleted {
    var documents = 0
    var bytes = 0

    mutating func add(_ document: StoredDocument) {
      documents += 1
      bytes += DocumentSize.size(document.fields, of: document.path)
    }
  }

  /// Deletes the documents of all collections with these ids, at any depth.
  func deleteGroups(
    _ ids: [String], of database: DatabaseName
  ) async throws(APIError) -> Deleted {
    var deleted = Deleted()
    let root = ResourcePath(database, segments: [])
    for id in ids {
      try ResourcePath.check(id)
      try await deleteBatches(in: database, counting: &deleted) {
        documents, limit throws(APIError) in
        var found: [Documents.StoredRow] = []
        let collections = try documents.collections(below: root, collectionId: id)
        try documents.collect(collections, upTo: limit, into: &found)
        return found
      }
    }
    return deleted
  }

  private func deleteBatches(
    in database: DatabaseName, counting deleted: inout Deleted,
    _ find: (Documents, Int) throws(APIError) -> [Documents.StoredRow]
  ) async throws(APIError) {
    var isComplete = false
    while !isComplete {
      let batch = try commit(in: database) { application throws(APIError) in
        let found = try find(application.documents, Self.batchSize)
        for row in found { try application.documents.delete(row) }
        let effects = found.map {
          DocumentEffect(path: $0.document.path, before: $0.document, after: nil, kind: .delete)
        }
        return (found.map(\.document), effects)
      }.result
      for document in batch { deleted.add(document) }
      isComplete = batch.count < Self.batchSize
      await Task.yield()
    }
  }
}

extension Documents {
  /// Adds the documents of the collections, until there are so many.
  fileprivate func collect(
    _ collections: [Collection], upTo limit: Int, into found: inout [StoredRow]
  ) throws(APIError) {
    for collection in collections where found.count < limit {
      found += try rows(in: collection, limit: limit - found.count)
    }
  }
}
