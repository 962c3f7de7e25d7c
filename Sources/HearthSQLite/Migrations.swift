/// A step of the schema, and the name by which a file remembers that it has had it.
///
/// Every owner of tables has a list of them, for tables that nobody else uses. A migration that has
/// shipped never changes. Several lists may have parts of one: a file has had all
/// of them, or none.
package struct Migration: Sendable {
  package let name: String
  let sql: String

  package init(_ name: String, sql: String) {
    self.name = name
    self.sql = sql
  }
}

/// Brings databases up to date.
enum Migrator {
  /// The table has the name that the library gave it which wrote it in earlier versions.
  private static let record = "grdb_migrations"

  /// Runs what a file has not had.
  ///
  /// - Returns: false, with the file as it was, where it has had a migration that is not known.
  static func bringUp(
    _ file: Connection, migrations: [Migration]
  ) throws(DatabaseError) -> Bool {
    let known = try names(in: file)
    guard known.isSubset(of: migrations.map(\.name)) else { return false }
    let missing = migrations.filter { !known.contains($0.name) }
    guard !missing.isEmpty else { return true }
    try inTransaction(file) { () throws(DatabaseError) in
      try file.execute(
        script: "CREATE TABLE IF NOT EXISTS \(record) (identifier TEXT NOT NULL PRIMARY KEY)")
      for migration in missing {
        try file.execute(script: migration.sql)
        try file.run(
          "INSERT OR IGNORE INTO \(record) (identifier) VALUES (?)", arguments: [migration.name])
      }
    }
    return true
  }

  /// A database that nobody opens again needs no record of them, and starts sooner.
  static func make(in memory: Connection, _ migrations: [Migration]) throws(DatabaseError) {
    try inTransaction(memory) { () throws(DatabaseError) in
      for migration in migrations { try memory.execute(script: migration.sql) }
    }
  }

  private static func names(in file: Connection) throws(DatabaseError) -> Set<String> {
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = '\(record)'"
    guard try !file.texts(tables).isEmpty else { return [] }
    return Set(try file.texts("SELECT identifier FROM \(record)"))
  }

  private static func inTransaction(
    _ connection: Connection, body: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    // All of them in one transaction: a process that is killed leaves the file as it was.
    try connection.execute(script: "BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      try body()
      try connection.execute(script: "COMMIT")
    } catch {
      if connection.isInTransaction { try connection.execute(script: "ROLLBACK") }
      throw error
    }
  }
}
