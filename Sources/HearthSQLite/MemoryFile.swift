import CHearthSQLite

/// A database in memory that SQLite treats as a file.
///
/// Of a database that was opened as `:memory:` SQLite looks through all pages whenever pages of an
/// index have changed places, so that insertions would become slower with each. Record 0025 tells
/// more.
enum MemoryFile {
  /// SQLite allocates it in one piece, and never one of 2 GiB. It would stop at half of that unless
  /// it was told otherwise.
  private static let capacity: Int64 = (1 << 31) - 4096

  /// A connection to a file that no other connection has.
  static func connect() throws(DatabaseError) -> Connection {
    let isAvailable = sqlite3_vfs_find(fileSystem) != nil
    let connection =
      isAvailable
      ? try Connection(path: "hearth", fileSystem: fileSystem) : try Connection(path: ":memory:")
    try prepare(connection)
    return connection
  }

  private static let fileSystem = "memdb"

  /// Spares what only a file on a disk needs.
  private static func prepare(_ connection: Connection) throws(DatabaseError) {
    try connection.execute(
      script: """
        PRAGMA temp_store = MEMORY;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = MEMORY;
        PRAGMA synchronous = OFF;
        PRAGMA secure_delete = OFF;
        """)
    var limit = capacity
    sqlite3_file_control(
      try connection.open(), "main", SQLITE_FCNTL_SIZE_LIMIT, &limit)
  }

  /// What is free for new pages is kept up to so many bytes.
  private static let spare: Int64 = 8 << 20
  /// To write the rest together takes time; beyond so many bytes it stays where it is.
  private static let movable: Int64 = 16 << 20

  /// Gives the memory of free pages back to the system, where there are many.
  static func giveBack(_ connection: Connection) throws(DatabaseError) {
    let free = try free(in: connection)
    let before = try pages("page_count", of: connection)
    guard free > spare else { return }
    guard before - free <= movable else { return try FreePages.release(of: connection) }
    try connection.execute(script: "VACUUM")
    try FreePages.release(behindEndOf: connection, until: before)
  }

  /// The bytes of pages that hold nothing.
  static func free(in connection: Connection) throws(DatabaseError) -> Int64 {
    try pages("freelist_count", of: connection)
  }

  /// A number of pages, in bytes.
  private static func pages(
    _ count: String, of connection: Connection
  ) throws(DatabaseError) -> Int64 {
    try connection.number("PRAGMA \(count)") * connection.number("PRAGMA page_size")
  }
}
