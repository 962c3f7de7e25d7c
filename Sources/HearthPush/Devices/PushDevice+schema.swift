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
        """),
    Migration(
      "push texts and installations",
      sql: """
        CREATE TABLE push_texts (
          project TEXT NOT NULL,
          platform TEXT NOT NULL,
          texts TEXT NOT NULL,
          PRIMARY KEY (project, platform)
        ) WITHOUT ROWID;

        CREATE TABLE push_installations (
          project TEXT NOT NULL,
          fid TEXT NOT NULL,
          refresh_token TEXT NOT NULL,
          app TEXT NOT NULL,
          sdk TEXT NOT NULL,
          created_at INTEGER NOT NULL,
          deleted_at INTEGER,
          PRIMARY KEY (project, fid)
        ) WITHOUT ROWID;
        CREATE INDEX push_installations_by_age ON push_installations (project, created_at);
        """),
  ]

  package static let snapshotTables = [
    SnapshotTable("push_devices", key: ["project", "token"]),
    SnapshotTable("push_topics", key: ["project", "topic", "token"]),
    SnapshotTable("push_texts", key: ["project", "platform"]),
    SnapshotTable("push_installations", key: ["project", "fid"]),
  ]

  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    try transaction.all(
      """
      SELECT DISTINCT project FROM push_devices
      UNION SELECT project FROM push_texts UNION SELECT project FROM push_installations
      """
    ) { $0[0] as String }
  }
}
