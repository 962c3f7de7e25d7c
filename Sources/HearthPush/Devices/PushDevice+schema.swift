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
    Migration(
      "languages of push devices",
      sql: """
        ALTER TABLE push_devices ADD COLUMN language TEXT;

        CREATE TABLE push_translations (
          project TEXT NOT NULL,
          language TEXT NOT NULL,
          platform TEXT NOT NULL,
          texts TEXT NOT NULL,
          PRIMARY KEY (project, language, platform)
        ) WITHOUT ROWID;

        CREATE TABLE push_languages (
          project TEXT PRIMARY KEY,
          language TEXT NOT NULL
        ) WITHOUT ROWID;
        """),
    subscriptionCounts,
  ]

  /// To count the rows of a project for each new one would read them all.
  private static let subscriptionCounts = Migration(
    "counts of push subscriptions",
    sql: """
      CREATE TABLE push_topic_counts (
        project TEXT PRIMARY KEY,
        subscriptions INTEGER NOT NULL
      ) WITHOUT ROWID;
      INSERT INTO push_topic_counts SELECT project, count(*) FROM push_topics GROUP BY project;

      CREATE TRIGGER push_topics_added AFTER INSERT ON push_topics BEGIN
        INSERT INTO push_topic_counts VALUES (NEW.project, 1)
          ON CONFLICT (project) DO UPDATE SET subscriptions = subscriptions + 1;
      END;
      CREATE TRIGGER push_topics_removed AFTER DELETE ON push_topics BEGIN
        UPDATE push_topic_counts SET subscriptions = subscriptions - 1 WHERE project = OLD.project;
        DELETE FROM push_topic_counts WHERE project = OLD.project AND subscriptions < 1;
      END;
      """)

  package static let snapshotTables = [
    SnapshotTable("push_devices", key: ["project", "token"]),
    SnapshotTable("push_topics", key: ["project", "topic", "token"]),
    SnapshotTable("push_texts", key: ["project", "platform"]),
    SnapshotTable("push_translations", key: ["project", "language", "platform"]),
    SnapshotTable("push_languages", key: ["project"]),
    SnapshotTable("push_installations", key: ["project", "fid"]),
  ]

  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    try transaction.all(
      """
      SELECT DISTINCT project FROM push_devices
      UNION SELECT project FROM push_texts UNION SELECT project FROM push_translations
      UNION SELECT project FROM push_languages UNION SELECT project FROM push_installations
      """
    ) { $0[0] as String }
  }
}
