package import HearthErrors
package import HearthSQLite

/// What is kept of App Check.
package enum AppCheckSchema {
  package static let migrations = [
    Migration(
      "App Check",
      sql: """
        CREATE TABLE app_check (
          project TEXT NOT NULL,
          kind TEXT NOT NULL,
          name TEXT NOT NULL,
          record TEXT NOT NULL,
          PRIMARY KEY (project, kind, name)
        ) WITHOUT ROWID;

        CREATE TABLE app_check_consumed (
          project TEXT NOT NULL,
          token TEXT NOT NULL,
          expires INTEGER NOT NULL,
          PRIMARY KEY (project, token)
        ) WITHOUT ROWID;
        """)
  ]

  /// Tokens name their project, so what was consumed says nothing in a fork.
  package static let snapshotTables = [
    SnapshotTable("app_check", key: ["project", "kind", "name"]),
    SnapshotTable("app_check_consumed", key: ["project", "token"], isForked: false),
  ]

  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    try transaction.all("SELECT DISTINCT project FROM app_check") { $0[0] as String }
  }
}
