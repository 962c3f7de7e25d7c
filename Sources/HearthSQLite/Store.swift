import CHearthSQLite
package import HearthErrors

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The one truth: a SQLite database in memory, or one file in a data directory.
///
/// An instance is an open, migrated database. All access goes through one connection, so a
/// transaction sees no other and never waits for a lock.
///
/// It owns the connection and the lock of the directory until it is closed. Any thread may call it
/// and waits for its turn; threads that must not wait for long, such as event loops, keep their
/// transactions short (record 0037).
package final class Store: Sendable {
  private let connection: Exclusive<Connection>
  /// Held as long as the store is open.
  private let lock: DataDirectoryLock?
  private let endings = TransactionEndings()
  private let freePages = FreePageWatch()
  /// The file, as it was when it was opened; nil for a database in memory.
  private let file: DataFile?

  /// Whether SQLite has been told; all stores of a process share its settings.
  private static let isConfigured = hearth_sqlite_stop_counting_memory() == SQLITE_OK

  /// Whether everything is empty at each start.
  package var isInMemory: Bool { lock == nil }

  /// Whether the file has been deleted or moved: what is written now is there until the end only.
  package var isLost: Bool { file.map { DataFile($0.path) != $0 } ?? false }

  /// Opens the file `hearth.sqlite` in that directory, or, where it is nil, a database in memory.
  /// The migrations are those of all who keep something in the store.
  ///
  /// - Throws: ``StoreError`` where the directory cannot be used, or was made by a newer version.
  package init(directory: String? = nil, migrations: [Migration]) throws {
    _ = Self.isConfigured
    guard let directory else {
      lock = nil
      file = nil
      let memory = try MemoryFile.connect()
      try Migrator.make(in: memory, migrations)
      connection = Exclusive(memory)
      return
    }
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.cannotOpen(directory, DirectoryObstacle(on: directory).description)
    }
    lock = try DataDirectoryLock(directory: directory)
    let path = directory + "/hearth.sqlite"
    try Self.keepPrivate(path)
    do {
      let database = try Self.connect(path)
      guard try Migrator.bringUp(database, migrations: migrations) else {
        throw StoreError.newer(path)
      }
      connection = Exclusive(database)
    } catch let error as DatabaseError {
      throw StoreError.damaged(path, error.message)
    }
    file = DataFile(path)
  }

  private static func connect(_ path: String) throws(DatabaseError) -> Connection {
    let connection = try Connection(path: path)
    // Otherwise SQLite may write what it sorts to the machine's temporary folder.
    try connection.execute(script: "PRAGMA temp_store = MEMORY")
    // It answers with the mode that there is now.
    guard try connection.texts("PRAGMA journal_mode = WAL").first == "wal" else {
      throw DatabaseError(code: SQLITE_ERROR, message: "SQLite cannot use a write-ahead log there")
    }
    // With a WAL, a crash of the machine may lose the last commits and leaves the file intact.
    try connection.execute(script: "PRAGMA synchronous = NORMAL")
    return connection
  }

  /// SQLite would make the file readable to everybody, where the directory is; its companions get
  /// the mode that it has.
  private static func keepPrivate(_ path: String) throws {
    // Not by a symbolic link, which may lead out of the directory.
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP
        ? StoreError.damaged(path, "it is a symbolic link")
        : StoreError.cannotOpen(path, DirectoryObstacle.words(errno))
    }
    _ = closeDescriptor(descriptor)
  }

  /// Runs the body in one transaction: returning commits, throwing rolls back, but for a refusal
  /// that says it keeps what was written.
  ///
  /// The body runs with the store locked. It may not call the store again, and should not do what
  /// needs no store.
  package func transaction<Value>(
    _ body: (Transaction) throws(APIError) -> Value
  ) throws(APIError) -> Value {
    try transaction(body) { $0 }
  }

  /// As `transaction(_:)`; the second closure runs after the commit and before every other
  /// transaction, for what must happen in the order of commits.
  package func transaction<Value, Final>(
    _ body: (Transaction) throws(APIError) -> Value, committed: (Value) -> Final
  ) throws(APIError) -> Final {
    try connection.withLock { (database) throws(APIError) in
      committed(try carryOut(body, on: database))
    }
  }

  /// Makes no `Result` of the value: its type is not known here, and would be looked up at each call.
  private func carryOut<Value>(
    _ body: (Transaction) throws(APIError) -> Value, on database: Connection
  ) throws(APIError) -> Value {
    defer { endings.run() }
    try begin(database)
    let value: Value
    do throws(APIError) {
      value = try body(Transaction(database, endings: endings))
    } catch {
      try end(database, keepingWrites: error.keepsWrites)
      throw error
    }
    try end(database, keepingWrites: true)
    return value
  }

  /// Does one after the other, in one transaction for as long as nothing has to be undone: to begin
  /// and to commit one takes longer than many an operation.
  ///
  /// Each sees what those before it have written. None is concluded before the commit.
  package func run(_ works: [SharedWork]) {
    connection.withLock { database in
      if works.count > 1, let attempts = runTogether(works, database: database) {
        for attempt in attempts { attempt.conclude() }
      } else {
        for work in works { run(work, database: database) }
      }
    }
  }

  /// Nil when all of it was undone, because part of it has to be or because the database failed.
  private func runTogether(
    _ works: [SharedWork], database: Connection
  ) -> [SharedWork.Attempt]? {
    try? commit(database, if: { $0 != nil }) { transaction in
      var attempts: [SharedWork.Attempt] = []
      for work in works {
        // A refusal that has written nothing need not undo the others.
        let changes = database.totalChanges
        let attempt = work.attempt(transaction)
        // SQLite rolls back by itself where it has run out of room.
        guard database.isInTransaction,
          attempt.isKept || !attempt.isFault && database.totalChanges == changes
        else { return nil }
        attempts.append(attempt)
      }
      return attempts
    }
  }

  private func run(_ work: SharedWork, database: Connection) {
    do throws(APIError) {
      try commit(database, if: { $0.isKept }, body: work.attempt).conclude()
    } catch {
      work.fail(error)
    }
  }

  private func commit<Value>(
    _ database: Connection, if isKept: (Value) -> Bool, body: (Transaction) -> Value
  ) throws(APIError) -> Value {
    defer { endings.run() }
    try begin(database)
    let value = body(Transaction(database, endings: endings))
    try end(database, keepingWrites: isKept(value))
    return value
  }

  /// Deferred: without other connections, nobody can come in between.
  private func begin(_ database: Connection) throws(APIError) {
    do throws(DatabaseError) { try database.run("BEGIN") } catch { throw APIError(error) }
  }

  private func end(_ database: Connection, keepingWrites: Bool) throws(APIError) {
    do throws(DatabaseError) {
      if keepingWrites {
        try database.run("COMMIT")
        // What is committed is committed, also where its memory cannot be given back.
        if isInMemory { try? freePages.afterCommit(on: database) }
      } else if database.isInTransaction {
        // SQLite rolls back by itself where it has run out of room.
        try database.run("ROLLBACK")
      }
    } catch {
      // A full disk, say. SQLite may have rolled back by itself.
      if database.isInTransaction { try? database.run("ROLLBACK") }
      throw APIError(error)
    }
  }

  /// Returns when no thread waits for the store, or after some milliseconds: for work in several
  /// transactions. The lock is not fair, so a thread that takes it again at once keeps all others
  /// waiting. It blocks the thread, which must not be one that reads sockets.
  package func yieldToWaiters() {
    for _ in 0..<50 where connection.hasWaiters { usleep(100) }
  }

  /// Gives memory back to the system after much was deleted. It takes some time, and is not
  /// important enough to fail.
  /// It holds the store meanwhile.
  package func giveMemoryBack() {
    if isInMemory { connection.withLock { try? MemoryFile.giveBack($0) } }
    hearth_give_memory_back()
  }

  /// Whether so much is about to be written that the log is to be put into the file less often:
  /// each time the disk is waited for.
  package func expectMuch(_ isExpected: Bool) {
    guard !isInMemory else { return }
    // A page has 4 KiB; SQLite's own number is the smaller one.
    let pages = isExpected ? 16_384 : 1000
    connection.withLock { try? $0.execute(script: "PRAGMA wal_autocheckpoint = \(pages)") }
  }

  /// Closes the file, and lets others open its directory.
  package func close() {
    connection.withLock { $0.close() }
    lock?.release()
  }
}

extension Result where Failure == APIError {
  /// Whether what the transaction wrote stays.
  package var isKept: Bool {
    switch self {
    case .success: true
    case .failure(let error): error.keepsWrites
    }
  }
}

/// A file, which may have been replaced by another one of its name.
private struct DataFile: Equatable {
  let path: String
  private let device: dev_t?
  private let number: ino_t?

  init(_ path: String) {
    self.path = path
    var status = stat()
    let isThere = stat(path, &status) == 0
    device = isThere ? status.st_dev : nil
    number = isThere ? status.st_ino : nil
  }
}

/// Keeps a second process from opening the same data directory: two writers that each believe
/// themselves alone would hand out the same sequence numbers.
private final class DataDirectoryLock: Sendable {
  private let descriptor: Int32

  init(directory: String) throws {
    let path = directory + "/hearth.lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    // Not waited for: the other process may run for days. The system lets the lock go when a
    // process ends.
    guard descriptor >= 0 else {
      throw StoreError.cannotOpen(path, DirectoryObstacle.words(errno))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      _ = closeDescriptor(descriptor)
      throw StoreError.inUse(directory)
    }
  }

  /// Not only with the last reference: what ends somewhat later may hold the store.
  func release() { _ = flock(descriptor, LOCK_UN) }

  /// Released as well as closed: a process that has just been forked has a copy of the descriptor.
  deinit {
    release()
    _ = closeDescriptor(descriptor)
  }
}

/// `close` under a name that a type with a `close` of its own can call.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// Why a data directory cannot be used.
package enum StoreError: Error, CustomStringConvertible {
  case cannotOpen(String, String)
  case inUse(String)
  /// It has had migrations that are not known here.
  case newer(String)
  case damaged(String, String)

  package var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "cannot open \(path) for data (--data): \(reason)"
    case .damaged(let path, let words): "\(path) cannot be used (--data): \(words)"
    case .newer(let path):
      "\(path) was made by a newer version of hearth, which this one cannot read (--data)"
    case .inUse(let directory): "the data directory \(directory) is in use by another hearth"
    }
  }
}
