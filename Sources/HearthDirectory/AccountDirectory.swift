package import HearthErrors
import HearthIdentityToolkit
package import HearthOperations
package import HearthSQLite
import HearthWire
import Synchronization

/// Finds accounts by a part of their texts, with filters and in any order, among very many.
///
/// Nothing is kept before somebody looks: signing up costs nothing more. The first look reads all
/// accounts once, and triggers of the connection then note the rows that change, which the next look
/// reads. It owns that copy of the accounts.
package final class AccountDirectory: Sendable {
  package static let tooLarge = APIError(
    .resourceExhausted, detail: "there are too many accounts to be searched; find them by their uid"
  )

  /// Of all accounts together.
  private static let mostBytes = 512 << 20
  /// How many rows are read while others wait.
  private static let slice = 4000

  private struct State {
    var entries = AccountEntries()
    /// The version of the schema that the rows were read with: SQLite may number them differently
    /// when it changes.
    var schema: Int64?
  }

  private let store: Store
  private let state = Mutex(State())
  private let ready = Atomic(false)
  private let isWarming = Atomic(false)
  /// One after the other: each looks at all accounts.
  package let work = WorkPool("searching accounts", threads: 1, places: 32)

  package init(_ store: Store) { self.store = store }

  /// Whether all accounts have been read.
  package var isReady: Bool { ready.load(ordering: .acquiring) }

  /// What a look has found.
  package struct Result: Sendable {
    package let count: Int
    package let rows: [Int64]
    package let next: String?
  }

  /// Reads what has changed. It takes a second for a million accounts at the first time: not on the
  /// thread of a socket.
  package func update() throws(APIError) {
    let result = state.withLock { state in
      Swift.Result { () throws(APIError) in try update(&state) }
    }
    try result.get()
  }

  /// Begins to read, for a search that may come.
  package func warmUp() {
    guard !isReady, !isWarming.exchange(true, ordering: .relaxed) else { return }
    Task.detached { [self] in
      try? await work.run { () throws(APIError) in try update() }
      isWarming.store(false, ordering: .relaxed)
    }
  }

  /// The accounts of a page, and how many there are on all pages.
  package func find(
    _ filter: AccountFilter, page: AccountPage, in project: String, tenant: String?
  ) throws(APIError) -> Result {
    let found = state.withLock { state in
      Swift.Result { () throws(APIError) in
        try update(&state)
        return state.entries.find(filter, page: page, in: project, tenant: tenant)
      }
    }
    return try found.get()
  }

  /// The rows of all accounts that fulfil the conditions.
  package func rows(
    _ filter: AccountFilter, in project: String, tenant: String?
  ) throws(APIError) -> [Int64] {
    let found = state.withLock { state in
      Swift.Result { () throws(APIError) in
        try update(&state)
        return state.entries.rows(filter, in: project, tenant: tenant)
      }
    }
    return try found.get()
  }

  // MARK: Reading

  private func update(_ state: inout State) throws(APIError) {
    if state.entries.isMostlyDead { state = State() }
    while try !step(&state) {
      guard state.entries.bytes <= Self.mostBytes else {
        state = State()
        ready.store(false, ordering: .releasing)
        throw Self.tooLarge
      }
    }
    ready.store(true, ordering: .releasing)
  }

  /// Reads some of what is missing; true when nothing is.
  private func step(_ state: inout State) throws(APIError) -> Bool {
    var next = state
    state.entries = AccountEntries()
    let result = Swift.Result { () throws(APIError) in
      try store.transaction { transaction throws(APIError) in
        let schema = try transaction.count("PRAGMA schema_version")
        if next.schema != Int64(schema) {
          ready.store(false, ordering: .releasing)
          next = State(schema: Int64(schema))
          try Self.track(transaction)
          return try Self.readAll(transaction, entries: &next.entries)
        }
        if !isReady, try !Self.readAll(transaction, entries: &next.entries) { return false }
        return try Self.readChanges(transaction, entries: &next.entries)
      }
    }
    // What failed may have undone the triggers.
    if case .success = result { state = next } else { state = State() }
    return try result.get()
  }

  /// Temporary triggers: other connections and the file know nothing of them.
  private static func track(_ transaction: Transaction) throws(APIError) {
    try transaction.execute(
      "CREATE TEMP TABLE IF NOT EXISTS account_changes (id INTEGER PRIMARY KEY)")
    for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
      // Not `OR IGNORE`: the statement that fires a trigger overrules that.
      try transaction.execute(
        """
        CREATE TEMP TRIGGER IF NOT EXISTS account_\(event.lowercased())
        AFTER \(event) ON main.users BEGIN
          INSERT INTO account_changes SELECT \(row).rowid
          WHERE NOT EXISTS (SELECT 1 FROM account_changes WHERE id = \(row).rowid);
        END
        """)
    }
  }

  /// Reads the next batch of rows by row id.
  ///
  /// - Returns: Whether it was the last batch.
  private static func readAll(
    _ transaction: Transaction, entries: inout AccountEntries
  ) throws(APIError) -> Bool {
    var count = 0
    let after = entries.lastRow
    try transaction.scan(
      """
      SELECT rowid, project, tenant, record FROM users WHERE rowid > ? ORDER BY rowid LIMIT ?
      """, arguments: [after, slice]
    ) { row in
      count += 1
      try put(row, id: row[0], entries: &entries)
      return true
    }
    return count < slice
  }

  private static func readChanges(
    _ transaction: Transaction, entries: inout AccountEntries
  ) throws(APIError) -> Bool {
    let changed = try transaction.all(
      "SELECT id FROM account_changes LIMIT ?", arguments: [slice]
    ) { $0[0] as Int64 }
    for id in changed {
      entries.remove(row: id)
      _ = try transaction.first(
        "SELECT rowid, project, tenant, record FROM users WHERE rowid = ?", arguments: [id]
      ) { try put($0, id: id, entries: &entries) }
    }
    if !changed.isEmpty {
      try transaction.execute(
        "DELETE FROM account_changes WHERE id IN (SELECT id FROM account_changes LIMIT ?)",
        arguments: [slice])
    }
    return changed.count < slice
  }

  private static func put(
    _ row: ResultRow, id: Int64, entries: inout AccountEntries
  ) throws {
    let facts = try row.withText(3) { try AccountFacts(record: $0) }
    entries.put(facts, row: id, of: AccountEntries.Owner(project: row[1], tenant: row[2]))
  }
}
