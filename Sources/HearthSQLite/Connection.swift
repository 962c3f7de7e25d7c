import CHearthSQLite

/// A connection to a SQLite database, with the statements that were prepared on it.
///
/// It owns both. One thread at a time may use it; `Store` keeps it in an `Exclusive`.
final class Connection {
  /// The SQL of this program has some dozens of variants, plus those of lists of arguments.
  private static let mostStatements = 512

  private var handle: OpaquePointer?
  /// By their text. Bounded by ``mostStatements``, beyond which all are forgotten at once: that
  /// hardly ever happens, and needs no order of use.
  private var statements: [String: PreparedStatement] = [:]

  /// Opens a database; `fileSystem` names one of SQLite's own, and nil is the standard one.
  init(path: String, fileSystem: String? = nil) throws(DatabaseError) {
    // Without SQLite's own lock: there is one around the connection.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, fileSystem)
    guard code == SQLITE_OK else { throw DatabaseError(code, on: handle) }
  }

  deinit { close() }

  /// Closes it; every later use throws. Statements that are running keep the database open until
  /// they end.
  func close() {
    statements = [:]
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// The connection as SQLite's functions take it.
  func open() throws(DatabaseError) -> OpaquePointer {
    guard let handle else { throw DatabaseError(code: SQLITE_MISUSE, message: "it is closed") }
    return handle
  }

  /// The statement, which is prepared once and then kept; another one while that is running.
  func statement(_ sql: String) throws(DatabaseError) -> PreparedStatement {
    let known = statements[sql]
    if let known, !known.isRunning { return known }
    let statement = try PreparedStatement(sql, on: try open())
    guard known == nil else { return statement }
    // A statement that is running is kept by the one that runs it.
    if statements.count >= Self.mostStatements { statements = [:] }
    statements[sql] = statement
    return statement
  }

  /// Runs one statement, which is kept prepared, and passes over its rows.
  func run(_ sql: String, arguments: Arguments = []) throws(DatabaseError) {
    let statement = try statement(sql)
    try statement.bind(arguments)
    defer { statement.finish() }
    while try statement.step() {}
  }

  /// The number that a statement answers, which is run once; 0 without one.
  func number(_ sql: String) throws(DatabaseError) -> Int64 {
    try texts(sql).first.flatMap { Int64($0) } ?? 0
  }

  /// The first column of a statement that is run once.
  func texts(_ sql: String) throws(DatabaseError) -> [String] {
    let statement = try PreparedStatement(sql, on: try open())
    var texts: [String] = []
    while try statement.step() { texts.append(statement.row[0]) }
    return texts
  }

  /// Runs any number of statements that are not run again.
  func execute(script: String) throws(DatabaseError) {
    let handle = try open()
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(code, on: handle) }
  }

  /// Whether triggers fire. Statements notice the change.
  func enableTriggers(_ isEnabled: Bool) throws(DatabaseError) {
    let handle = try open()
    let code = hearth_sqlite_enable_triggers(handle, isEnabled ? 1 : 0)
    guard code == SQLITE_OK else { throw DatabaseError(code, on: handle) }
  }

  var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }
  var lastInsertedRowID: Int64 { handle.map(sqlite3_last_insert_rowid) ?? 0 }
  /// How many rows the last statement changed.
  var changedRows: Int { handle.map { Int(sqlite3_changes($0)) } ?? 0 }
  /// How many rows were changed since the database was opened.
  var totalChanges: Int { handle.map { Int(sqlite3_total_changes($0)) } ?? 0 }
}

/// What SQLite could not do.
struct DatabaseError: Error, CustomStringConvertible {
  /// One of SQLite's primary result codes.
  let code: Int32
  let message: String

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// The last failure on a connection.
  init(_ code: Int32, on connection: OpaquePointer?) {
    self.init(
      code: code,
      message: connection.map { String(cString: sqlite3_errmsg($0)) } ?? Self.meaning(of: code))
  }

  private static func meaning(of code: Int32) -> String { String(cString: sqlite3_errstr(code)) }

  /// The code and what it means in general: `13 (database or disk is full)`.
  var codeDescription: String { "\(code) (\(Self.meaning(of: code)))" }

  var description: String { "SQLite error \(code): \(message)" }
}
