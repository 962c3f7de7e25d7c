import GRDB
import GRDBSQLite

/// A database in memory, of which SQLite believes that it is a file.
///
/// Of a database that was opened as `:memory:` SQLite looks through all pages whenever pages of an
/// index have changed places, so that insertions would become slower with each. Record 0025 tells
/// more.
enum MemoryFile {
  /// SQLite allocates it in one piece, and never one of 2 GiB. It would stop at half of that unless
  /// it was told otherwise.
  private static let capacity: Int64 = (1 << 31) - 4096

  /// Each connection that opens it has one of its own.
  static var path: String { isAvailable ? "file:hearth?vfs=memdb" : ":memory:" }

  /// Without the option SQLite would make a file of that name.
  private static var isAvailable: Bool {
    sqlite3_vfs_find("memdb") != nil && sqlite3_compileoption_used("USE_URI") != 0
  }

  /// Spares what only a file on a disk needs.
  static func prepare(_ database: Database) throws {
    try database.execute(
      sql: """
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = MEMORY;
        PRAGMA synchronous = OFF;
        PRAGMA secure_delete = OFF;
        """)
    var limit = capacity
    sqlite3_file_control(
      database.sqliteConnection, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit)
  }
}
