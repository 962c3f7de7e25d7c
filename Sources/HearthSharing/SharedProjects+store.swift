package import HearthErrors
package import HearthSQLite
import HearthTime

extension SharedProject {
  package static let migrations = [
    Migration(
      "shared projects",
      sql: """
        CREATE TABLE shared_projects (
          project TEXT PRIMARY KEY,
          hash TEXT NOT NULL,
          opened_at INTEGER NOT NULL,
          expires_at INTEGER NOT NULL,
          quota INTEGER
        ) WITHOUT ROWID
        """)
  ]

  /// Those that an earlier run has opened, also where their time is over meanwhile.
  package static func stored(in transaction: Transaction) throws(APIError) -> [SharedProject] {
    try transaction.all(
      "SELECT project, hash, opened_at, expires_at, quota FROM shared_projects"
    ) { row in
      SharedProject(
        id: row[0], hash: TokenHash(stored: row[1]), openedAt: Timestamp(milliseconds: row[2]),
        expires: Timestamp(milliseconds: row[3]), quota: row[4] as Int64?)
    }
  }

  package func store(in transaction: Transaction) throws(APIError) {
    try transaction.execute(
      """
      INSERT INTO shared_projects (project, hash, opened_at, expires_at, quota)
      VALUES (?, ?, ?, ?, ?)
      """,
      arguments: [id, hash.text, openedAt.milliseconds, expires.milliseconds, quota])
  }

  package func remove(in transaction: Transaction) throws(APIError) {
    try transaction.execute("DELETE FROM shared_projects WHERE project = ?", arguments: [id])
  }
}
