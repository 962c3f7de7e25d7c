import CHearthSQLite
import Foundation
import GRDB
package import HearthErrors

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The one truth: a SQLite database in memory, or one file in a data directory.
///
/// An instance is an open, migrated database. All access goes through one connection, so a
/// transaction sees no other and never waits for a lock.
package final class Store: Sendable {
  private let queue: DatabaseQueue
  /// Taken before the queue, whose own line costs two more context switches for each that waits.
  /// A lock that spins was tried: the time that it takes from the other threads is worth more.
  private let turn = NSLock()
  /// Held as long as the store is open; see `lock(_:)`.
  private let lock: DataDirectoryLock?
  private let endings = TransactionEndings()
  /// The file, as it was when it was opened; nil for a database in memory.
  private let file: DataFile?

  /// Whether SQLite has been told; all stores of a process share its settings.
  private static let isConfigured = hearth_sqlite_stop_counting_memory() == SQLITE_OK

  /// Whether everything begins anew with each start.
  package var isInMemory: Bool { lock == nil }

  /// Whether the file has been deleted or moved: what is written now is there until the end only.
  package var isLost: Bool { file.map { DataFile($0.path) != $0 } ?? false }

  /// Opens the file `hearth.sqlite` in that directory, or, where it is nil, a database in memory.
  package init(directory: String? = nil) throws {
    _ = Self.isConfigured
    var configuration = Configuration()
    configuration.label = "hearth.store"
    // The schema has none.
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
      if directory == nil {
        try MemoryFile.prepare(database)
      } else {
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
      }
    }
    if let directory {
      do {
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
      } catch {
        throw StoreError.cannotOpen(directory)
      }
      lock = try DataDirectoryLock(directory: directory)
      configuration.journalMode = .wal
      let path = directory + "/hearth.sqlite"
      try Self.keepPrivate(path)
      do {
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try Migrations.bringUp(queue)
      } catch let error as DatabaseError {
        throw StoreError.damaged(path, error.message ?? "\(error.resultCode)")
      }
      file = DataFile(path)
    } else {
      lock = nil
      file = nil
      queue = try DatabaseQueue(path: MemoryFile.path, configuration: configuration)
      try Migrations.make(in: queue)
    }
  }

  /// SQLite would make the file readable to everybody, where the directory is; its companions get
  /// the mode that it has.
  private static func keepPrivate(_ path: String) throws {
    // Not by a symbolic link, which may lead out of the directory.
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw errno == ELOOP
        ? StoreError.damaged(path, "it is a symbolic link") : StoreError.cannotOpen(path)
    }
    _ = closeDescriptor(descriptor)
  }

  /// Runs the body in one transaction: returning commits, throwing rolls back, but for a refusal
  /// that says it keeps what was written.
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
    turn.lock()
    defer { turn.unlock() }
    return try access { database in
      try commit(database, if: \.isKept) { transaction in
        Result { () throws(APIError) in try body(transaction) }
      }
      .map(committed)
    }
    .get()
  }

  /// Does one after the other, in one transaction for as long as nothing has to be undone: to begin
  /// and to commit one takes longer than many an operation.
  ///
  /// Each sees what those before it have written. None is concluded before the commit.
  package func run(_ works: [SharedWork]) {
    turn.lock()
    defer { turn.unlock() }
    if works.count > 1, let attempts = runTogether(works) {
      for attempt in attempts { attempt.conclude() }
    } else {
      for work in works { run(work) }
    }
  }

  /// Nil when all of it was undone, because part of it has to be or because the database failed.
  private func runTogether(_ works: [SharedWork]) -> [SharedWork.Attempt]? {
    try? access { database in
      try commit(database, if: { $0 != nil }) { transaction in
        var attempts: [SharedWork.Attempt] = []
        for work in works {
          let changes = database.totalChangesCount
          let attempt = work.attempt(transaction)
          // SQLite rolls back by itself where it has run out of room.
          guard database.isInsideTransaction,
            attempt.isKept || !attempt.isFault && database.totalChangesCount == changes
          else { return nil }
          attempts.append(attempt)
        }
        return attempts
      }
    }
  }

  private func run(_ work: SharedWork) {
    do throws(APIError) {
      try access { try commit($0, if: \.isKept, work.attempt) }.conclude()
    } catch {
      work.fail(error)
    }
  }

  /// Turns what the database cannot do into an `APIError`.
  private func access<Value>(_ body: (Database) throws -> Value) throws(APIError) -> Value {
    do {
      return try queue.writeWithoutTransaction(body)
    } catch let error as DatabaseError {
      throw APIError(error)
    } catch {
      throw APIError(.internalError, "The data store cannot be written: \(error)")
    }
  }

  private func commit<Value>(
    _ database: Database, if isKept: (Value) -> Bool, _ body: (Transaction) -> Value
  ) throws -> Value {
    defer { endings.run() }
    // GRDB's own `inTransaction` has SQLite parse these two lines again each time.
    try database.cachedStatement(sql: "BEGIN").execute()
    do {
      let value = body(Transaction(database, endings))
      if isKept(value) {
        try database.cachedStatement(sql: "COMMIT").execute()
      } else if database.isInsideTransaction {
        // SQLite rolls back by itself where it has run out of room.
        try database.cachedStatement(sql: "ROLLBACK").execute()
      }
      return value
    } catch {
      // A full disk, say. SQLite may have rolled back by itself.
      if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
      throw error
    }
  }

  /// Gives memory back to the system after much was deleted. It takes some time, and is not
  /// important enough to fail.
  package func giveMemoryBack() {
    if isInMemory {
      turn.lock()
      defer { turn.unlock() }
      try? queue.writeWithoutTransaction { try MemoryFile.giveBack($0) }
    }
    hearth_give_memory_back()
  }

  package func close() throws { try queue.close() }
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
    guard descriptor >= 0 else { throw StoreError.cannotOpen(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      _ = closeDescriptor(descriptor)
      throw StoreError.inUse(directory)
    }
  }

  deinit { _ = closeDescriptor(descriptor) }
}

/// `close` under a name that a type with a `close` of its own can call.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// Why a data directory cannot be used.
package enum StoreError: Error, CustomStringConvertible {
  case cannotOpen(String)
  case inUse(String)
  /// It has had migrations that are not known here.
  case newer(String)
  case damaged(String, String)

  package var description: String {
    switch self {
    case .cannotOpen(let path): "cannot open \(path) for data (--data)"
    case .damaged(let path, let words): "\(path) cannot be used (--data): \(words)"
    case .newer(let path):
      "\(path) was made by a newer hearth, and cannot be used by this one (--data)"
    case .inUse(let directory): "the data directory \(directory) is in use by another hearth"
    }
  }
}
