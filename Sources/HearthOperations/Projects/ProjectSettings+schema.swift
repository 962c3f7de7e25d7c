package import HearthErrors
package import HearthSQLite

/// What is kept of projects and tenants.
extension ProjectSettings {
  /// The tenant of the project's own accounts is the empty string.
  package static let migrations = [
    Migration(
      "1 accounts, codes, tokens, mailbox",
      sql: """
        CREATE TABLE projects (
          project TEXT PRIMARY KEY,
          config TEXT NOT NULL,
          switches TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE tenants (
          project TEXT NOT NULL,
          tenant TEXT NOT NULL,
          record TEXT NOT NULL,
          PRIMARY KEY (project, tenant)
        ) WITHOUT ROWID;
        """),
    Migration(
      "deleted tenants",
      sql: """
        CREATE TABLE deleted_tenants (
          sequence INTEGER PRIMARY KEY,
          project TEXT NOT NULL,
          tenant TEXT NOT NULL
        );
        CREATE INDEX deleted_tenants_by_name ON deleted_tenants (tenant, project)
        """),
  ]

  package static let snapshotTables = [
    SnapshotTable("projects", key: ["project"]),
    SnapshotTable("tenants", key: ["project", "tenant"]),
    SnapshotTable("deleted_tenants", key: ["sequence"], makesKey: true),
  ]

  /// The projects that have settings of their own.
  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    try transaction.all("SELECT project FROM projects") { $0[0] as String }
  }
}

extension ProjectSettings {
  /// The projects that look at tokens of App Check.
  static func projectIds(
    withAppCheckIn transaction: Transaction
  ) throws(APIError) -> [String] {
    try transaction.all(
      """
      SELECT project FROM projects
      WHERE coalesce(json_extract(switches, '$.appCheckAuth'), 'off') != 'off'
        OR coalesce(json_extract(switches, '$.appCheckFirestore'), 'off') != 'off'
      """
    ) { $0[0] as String }
  }
}
