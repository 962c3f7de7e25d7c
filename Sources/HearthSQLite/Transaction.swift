import CHearthSQLite
package import HearthErrors

/// One transaction of the store, with every database fault turned into an `APIError`.
///
/// Statements are prepared once per connection and reused; arguments are always bound.
///
/// It is good while the closure runs that it is handed to, on that thread, and must not be kept.
package struct Transaction {
  private let database: Connection
  private let endings: TransactionEndings

  init(_ database: Connection, endings: TransactionEndings) {
    self.database = database
    self.endings = endings
  }

  /// Has the closure called once, after the commit or the rollback and before the next transaction.
  package func atEnd(_ action: @escaping @Sendable () -> Void) { endings.add(action) }

  package func execute(
    _ sql: String, arguments: Arguments = []
  ) throws(APIError) {
    try run(sql, arguments: arguments) { _ in true }
  }

  /// The first row, read by the closure.
  package func first<Value>(
    _ sql: String, arguments: Arguments = [],
    read: (ResultRow) throws -> Value
  ) throws(APIError) -> Value? {
    var value: Value?
    try run(sql, arguments: arguments) { row in
      value = try read(row)
      return false
    }
    return value
  }

  package func all<Value>(
    _ sql: String, arguments: Arguments = [],
    read: (ResultRow) throws -> Value
  ) throws(APIError) -> [Value] {
    var values: [Value] = []
    try run(sql, arguments: arguments) { row in
      values.append(try read(row))
      return true
    }
    return values
  }

  /// Rows one after the other, for as long as the closure says that it wants more.
  package func scan(
    _ sql: String, arguments: Arguments = [],
    visit: (ResultRow) throws -> Bool
  ) throws(APIError) {
    try run(sql, arguments: arguments, visit: visit)
  }

  private func run(
    _ sql: String, arguments: Arguments, visit: (ResultRow) throws -> Bool
  ) throws(APIError) {
    try mapping {
      let statement = try database.statement(sql)
      try statement.bind(arguments)
      defer { statement.finish() }
      while try statement.step(), try visit(statement.row) {}
    }
  }

  /// The number in the first row, or 0 where there is no row.
  package func count(
    _ sql: String, arguments: Arguments = []
  ) throws(APIError) -> Int {
    try first(sql, arguments: arguments) { $0[0] as Int } ?? 0
  }

  /// Runs the body so that, when it refuses, only what it wrote itself is undone.
  ///
  /// Calls may be nested: SQLite rolls back to the latest savepoint of that name.
  package func nested<Value>(_ body: () throws(APIError) -> Value) throws(APIError) -> Value {
    try mapping { try database.run("SAVEPOINT nested") }
    do throws(APIError) {
      let value = try body()
      try mapping { try database.run("RELEASE nested") }
      return value
    } catch {
      try mapping {
        try database.run("ROLLBACK TO nested")
        try database.run("RELEASE nested")
      }
      throw error
    }
  }

  /// Runs the body without triggers.
  package func withoutTriggers(_ body: () throws(APIError) -> Void) throws(APIError) {
    try mapping { try database.enableTriggers(false) }
    // The connection is open, as it was a moment ago: this cannot fail.
    defer { try? database.enableTriggers(true) }
    try body()
  }

  package var lastInsertedRowID: Int64 { database.lastInsertedRowID }
  /// How many rows the last statement changed, without those that triggers changed.
  package var changedRows: Int { database.changedRows }

  /// What a closure throws that reads rows is its own: anything unknown is a fault of the data.
  private func mapping<Value>(_ body: () throws -> Value) throws(APIError) -> Value {
    do {
      return try body()
    } catch let error as APIError {
      throw error
    } catch let error as DatabaseError {
      throw APIError(error)
    } catch {
      throw APIError(.internalError, detail: "The data store holds a row that cannot be read.")
    }
  }
}

/// What triggers refuse with, so that clients get an error of their own for it.
package enum StoreRefusal {
  /// Of what would make a project larger than it may be.
  package static let quota = "hearth: the quota of the project is used up"
}

extension APIError {
  /// What the database could not do.
  init(_ error: DatabaseError) {
    self =
      switch error.code {
      case SQLITE_FULL, SQLITE_NOMEM:
        APIError(
          .internalError,
          detail:
            "The data store is full. In memory it holds 2 GB; with --data it is limited by the disk."
        )
      case SQLITE_CONSTRAINT where error.message == StoreRefusal.quota:
        APIError(
          .resourceExhausted, detail: "the project has no room for this: its quota is used up")
      default: APIError(.internalError, detail: "The data store failed: \(error.codeDescription)")
      }
  }
}
