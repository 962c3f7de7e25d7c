package import HearthErrors
import HearthFirestoreProtos
package import HearthWire

/// https://cloud.google.com/firestore/docs/reference/rest/v1/projects.databases/bulkDeleteDocuments
extension Firestore {
  /// Deletes all documents of collection groups, `{"collectionIds":[…]}`. The operation is done when
  /// it is answered.
  ///
  /// - Throws: INVALID_ARGUMENT where nothing says what to delete; NOT_FOUND.
  package func bulkDeleteDocuments(
    of name: DatabaseName, _ body: JSONObject
  ) async throws(APIError) -> JSON {
    let filter = try EntityFilter(body)
    try requireDatabase(name)
    guard !filter.isEmpty else {
      throw .invalid(
        "Empty entity filter. To delete all entities, Use database deletion instead.")
    }
    let start = now(of: name)
    var deleted = Deleted()
    if filter.hasUsualNamespace {
      var ids = filter.collectionIds
      if ids.isEmpty { ids = try collectionGroups(of: name) }
      deleted = try await deleteGroups(ids, of: name)
    }
    let (documents, bytes) = (Self.progress(deleted.documents), Self.progress(deleted.bytes))
    return databases.operation(
      .members([
        "@type": "type.googleapis.com/google.firestore.admin.v1.BulkDeleteDocumentsMetadata",
        "startTime": DatabaseResource.time(start), "endTime": DatabaseResource.time(now(of: name)),
        "operationState": "SUCCESSFUL", "progressDocuments": documents, "progressBytes": bytes,
        "collectionIds": filter.collectionIds.isEmpty ? nil : .strings(filter.collectionIds),
        "namespaceIds": filter.namespaceIds.isEmpty ? nil : .strings(filter.namespaceIds),
        "snapshotTime": DatabaseResource.time(start),
      ]), on: name,
      response: [
        "@type": "type.googleapis.com/google.firestore.admin.v1.BulkDeleteDocumentsResponse"
      ])
  }

  private static func progress(_ work: Int) -> JSON {
    work > 0 ? ["completedWork": .string("\(work)")] : [:]
  }

  private func collectionGroups(of name: DatabaseName) throws(APIError) -> [String] {
    try read { documents throws(APIError) in
      let root = ResourcePath(name, segments: [])
      let all = try documents.collections(below: root, collectionId: nil)
      return Set(all.compactMap(\.path.segments.last)).sorted()
    }
  }
}

/// What a deletion is to be of.
private struct EntityFilter {
  let collectionIds: [String]
  /// Of databases in Datastore mode. Here there is one, with an empty name.
  let namespaceIds: [String]

  var isEmpty: Bool { collectionIds.isEmpty && namespaceIds.isEmpty }
  var hasUsualNamespace: Bool { namespaceIds.isEmpty || namespaceIds.contains("") }

  init(_ body: JSONObject) throws(APIError) {
    let known: Set = ["name", "collectionIds", "collection_ids", "namespaceIds", "namespace_ids"]
    for name in body.keys where !known.contains(name) {
      throw .invalid(
        "Invalid JSON payload received. Unknown name \"\(name)\": Cannot find field.")
    }
    collectionIds = try Self.texts(
      body["collectionIds"] ?? body["collection_ids"], field: "collection_ids")
    namespaceIds = try Self.texts(
      body["namespaceIds"] ?? body["namespace_ids"], field: "namespace_ids")
  }

  private static func texts(_ json: JSON?, field: String) throws(APIError) -> [String] {
    guard let json, !json.isNull else { return [] }
    let texts = json.array?.compactMap(\.string)
    guard let texts, texts.count == json.array?.count else {
      throw .invalid("Invalid value at '\(field)' (TYPE_STRING), \(json.text)")
    }
    return texts
  }
}
