package import HearthErrors
package import HearthSQLite

extension PushDevice {
  package static let migrations = [
    Migration(
      "push devices",
      sql: """
        CREATE TABLE push_devices (
          project TEXT NOT NULL,
          token TEXT NOT NULL,
          fid TEXT NOT NULL,
          platform TEXT NOT NULL,
          state TEXT NOT NULL,
          name TEXT,
          created_at INTEGER NOT NULL,
          PRIMARY KEY (project, token)
        ) WITHOUT ROWID;
        CREATE INDEX push_devices_by_fid ON push_devices (project, fid);

        CREATE TABLE push_topics (
          project TEXT NOT NULL,
          topic TEXT NOT NULL,
          token TEXT NOT NULL,
          created_at INTEGER NOT NULL,
          PRIMARY KEY (project, topic, token)
        ) WITHOUT ROWID;
        CREATE INDEX push_topics_by_token ON push_topics (project, token);
        """)
  ]

  package static let snapshotTables = [
    SnapshotTable("push_devices", key: ["project", "token"]),
    SnapshotTable("push_topics", key: ["project", "topic", "token"]),
  ]

  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    try transaction.all("SELECT DISTINCT project FROM push_devices") { $0[0] as String }
  }
}
