import HearthSQLite

extension Documents {
  private static let collections = "firestore_collections"
  private static let documents = "firestore_documents"

  /// Not the clocks: time goes on.
  static let snapshotTables = [
    SnapshotTable(collections, key: ["id"], makesKey: true, numbers: ["id": collections]),
    SnapshotTable(
      documents, key: ["id"], owner: .group(column: "collection", table: collections),
      makesKey: true, stamp: "updated_at",
      comesBack: .byUpdate(["fields", "created_at", "updated_at", "origin"]),
      numbers: ["id": documents, "collection": collections]),
    SnapshotTable(
      "firestore_entries", key: ["collection", "key"],
      owner: .group(column: "collection", table: collections), comesBack: .byReplacement,
      numbers: ["collection": collections, "document": documents]),
  ]
}
