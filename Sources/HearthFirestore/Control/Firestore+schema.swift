package import HearthErrors
package import HearthSQLite

extension Firestore {
  /// `path` and `key` are bytes in the order of what they stand for.
  package static let migrations = [
    Migration(
      "5 documents",
      sql: """
        CREATE TABLE firestore_collections (
          id INTEGER PRIMARY KEY,
          project TEXT NOT NULL,
          database TEXT NOT NULL,
          path BLOB NOT NULL,
          collection_id TEXT NOT NULL
        );
        CREATE UNIQUE INDEX firestore_collections_by_path
          ON firestore_collections (project, database, path);
        CREATE INDEX firestore_collections_by_id
          ON firestore_collections (project, database, collection_id, path);

        CREATE TABLE firestore_documents (
          id INTEGER PRIMARY KEY,
          collection INTEGER NOT NULL,
          name TEXT NOT NULL,
          fields BLOB NOT NULL,
          created_at INTEGER NOT NULL,
          updated_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX firestore_documents_by_name ON firestore_documents (collection, name);

        CREATE TABLE firestore_entries (
          collection INTEGER NOT NULL,
          key BLOB NOT NULL,
          document INTEGER NOT NULL,
          PRIMARY KEY (collection, key)
        ) WITHOUT ROWID;

        CREATE TABLE firestore_clocks (
          project TEXT NOT NULL,
          database TEXT NOT NULL,
          last_commit INTEGER NOT NULL,
          PRIMARY KEY (project, database)
        ) WITHOUT ROWID;
        """),
    // What an import knows of a document beyond its fields; the first write removes it.
    Migration(
      "origins of documents", sql: "ALTER TABLE firestore_documents ADD COLUMN origin BLOB"),
  ]

  package static let snapshotTables = Documents.snapshotTables

  /// The projects that have documents.
  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    // No project's name begins with a slash but those of staged documents.
    try transaction.all(
      "SELECT DISTINCT project FROM firestore_collections WHERE project NOT LIKE '/%'"
    ) { $0[0] as String }
  }
}
