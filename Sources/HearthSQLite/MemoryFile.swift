import CHearthSQLite

#if canImport(Glibc)
  import Glibc
#endif

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
  /// To write the rest together takes time; beyond so many bytes it is not done.
  private static let movable: Int64 = 16 << 20

  /// Gives the memory of free pages back to the system, where there are many and little else.
  static func giveBack(_ connection: Connection) throws(DatabaseError) {
    func number(_ pragma: String) throws(DatabaseError) -> Int64 {
      try connection.texts("PRAGMA \(pragma)").first.flatMap { Int64($0) } ?? 0
    }
    let pageSize = try number("page_size")
    let before = try number("page_count") * pageSize
    let free = try number("freelist_count") * pageSize
    guard free > spare, before - free <= movable else { return }
    try connection.execute(script: "VACUUM")
    release(try connection.open(), before)
  }

  /// The file is shorter now, but the piece of memory that it lies in is not.
  private static func release(_ connection: OpaquePointer, _ before: Int64) {
    #if canImport(Glibc)
      var size: Int64 = 0
      let start = sqlite3_serialize(
        connection, "main", &size, UInt32(SQLITE_SERIALIZE_NOCOPY))
      guard let start, size < before else { return }
      let pageSize = UInt(sysconf(Int32(_SC_PAGESIZE)))
      // Whole pages of the system between the end of the file and what its end was.
      let first = (UInt(bitPattern: start) + UInt(size) + pageSize - 1) / pageSize * pageSize
      let end = (UInt(bitPattern: start) + UInt(before)) / pageSize * pageSize
      guard end > first, let unused = UnsafeMutableRawPointer(bitPattern: first) else { return }
      madvise(unused, Int(end - first), MADV_DONTNEED)
    #endif
  }
}
