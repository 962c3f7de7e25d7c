package import HearthErrors

/// The snapshots of projects: what a project held at a time, to come back to.
///
/// Nothing is copied when one is made. Triggers keep the first version of every row that is changed
/// afterwards, and a restore puts those back. Without snapshots, the tables have no triggers.
/// Record 0048 tells why.
///
/// A value for one transaction, in which all of its work is done: a restore or a fork is there as a
/// whole or not at all. It keeps nothing itself; what there is of snapshots is in tables that the
/// first snapshot makes and the last one drops.
package struct Snapshots {
  /// What is known of a snapshot.
  package struct Entry: Sendable {
    package let id: Int64
    package let project: String
    package let name: String
    /// Milliseconds since the Unix epoch.
    package let createdAt: Int64
    /// About what its rows take, were all of them changed.
    package let bytes: Int64
    /// What the server keeps of the project in memory.
    package let memory: String
  }

  let transaction: Transaction
  let tables: [SnapshotTable]

  /// `tables` are those of all rooms.
  package init(_ tables: [SnapshotTable], in transaction: Transaction) {
    self.transaction = transaction
    // Those that others belong to come first.
    let groups = Set(tables.compactMap(\.groups))
    self.tables =
      tables.filter { groups.contains($0.name) } + tables.filter { !groups.contains($0.name) }
  }

  // MARK: Entries

  /// Whether any project has one.
  package static func exist(in transaction: Transaction) throws(APIError) -> Bool {
    try transaction.first("SELECT 1 FROM sqlite_master WHERE name = 'snapshots'") { _ in true }
      ?? false
  }

  private static let columns = "id, project, name, created_at, bytes, memory"

  package func all() throws(APIError) -> [Entry] {
    guard try Self.exist(in: transaction) else { return [] }
    return try transaction.all(
      "SELECT \(Self.columns) FROM snapshots ORDER BY id", arguments: [], read: Entry.init(row:))
  }

  /// Those of a project, in the order in which they were made.
  package func entries(of project: String) throws(APIError) -> [Entry] {
    guard try Self.exist(in: transaction) else { return [] }
    return try transaction.all(
      "SELECT \(Self.columns) FROM snapshots WHERE project = ? ORDER BY id", arguments: [project],
      read: Entry.init(row:))
  }

  // MARK: Making and deleting

  /// Makes a snapshot, and gives its number. Changes of the project are kept for it from here on.
  ///
  /// - Throws: also where the project has a snapshot of that name, which is for the caller to find
  ///   out before.
  package func save(
    _ name: String, of project: String, createdAt: Int64, bytes: Int64, memory: String
  ) throws(APIError) -> Int64 {
    if try !Self.exist(in: transaction) { try makeTables() }
    try transaction.execute(
      """
      INSERT INTO snapshots (project, name, created_at, bytes, memory) VALUES (?, ?, ?, ?, ?)
      """,
      arguments: [project, name, createdAt, bytes, memory])
    let id = transaction.lastInsertedRowID
    try makeFences()
    try setHead(id, of: project)
    return id
  }

  /// Puts a row of no project after all others of a table: while it is there, SQLite gives out no
  /// number again that a snapshot holds.
  private func makeFences() throws(APIError) {
    for sql in try statements() where sql.table.isFenced {
      let key = sql.table.key[0]
      let values = sql.columns.map { column in
        // A row needs a value in each column; what it is does not matter to anybody.
        switch column.type {
        case _ where column.name == key: "NULL"
        case "BLOB": "randomblob(16)"
        case "INTEGER": "0"
        default: "''"
        }
      }
      try transaction.execute(
        "INSERT INTO \(sql.table.name) (\(sql.names)) VALUES (\(values.joined(separator: ", ")))")
      try transaction.execute(
        // Only the newest fence is needed: it is after all others.
        "DELETE FROM \(sql.table.name) WHERE project = '' AND \(key) < ?",
        arguments: [transaction.lastInsertedRowID])
    }
  }

  /// Deletes a snapshot. Its copies go to the one before it, which has held the same rows unless it
  /// has copies of its own.
  package func delete(_ entry: Entry) throws(APIError) {
    // Before and after are compared, since groups that only this snapshot held have to go.
    let kept = try keptGroups(of: entry.project)
    let others = try entries(of: entry.project).map(\.id).filter { $0 != entry.id }
    let statements = try statements()
    if let previous = others.last(where: { $0 < entry.id }) {
      for sql in statements {
        guard try hasCopies(sql, of: entry.id) else { continue }
        let same = sql.table.key.map { "known.\($0) = copy.\($0)" }.joined(separator: " AND ")
        try transaction.execute(
          """
          INSERT INTO \(sql.copies) (snapshot, present, \(sql.copyNames))
          SELECT ?1, present, \(sql.copyNames) FROM \(sql.copies) copy WHERE snapshot = ?2
            AND NOT EXISTS (SELECT 1 FROM \(sql.copies) known WHERE known.snapshot = ?1 AND \(same))
          """,
          arguments: [previous, entry.id])
      }
    }
    try forgetCopies(of: entry.id, statements)
    try transaction.execute("DELETE FROM snapshots WHERE id = ?", arguments: [entry.id])
    try setHead(others.last, of: entry.project)
    try deleteRows(ofGroups: kept, besides: try keptGroups(of: entry.project))
    if try transaction.count("SELECT count(*) FROM snapshots") == 0 { try dropTables() }
  }

  /// Deletes all of them where the tables that they are of have changed, by another version. Called
  /// at the start.
  ///
  /// - Returns: how many were deleted.
  package func deleteOutdated() throws(APIError) -> Int {
    let count = try all().count
    guard count > 0 else { return 0 }
    // Triggers are compared by their text, which names all columns.
    let known = try transaction.all(
      "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
    ) { $0[0] as String }
    for sql in try statements() {
      let columns = try transaction.all(
        "SELECT name FROM pragma_table_info(?)", arguments: [sql.copies]
      ) { $0[0] as String }
      guard columns == ["snapshot", "present"] + sql.columns.map(\.copy),
        sql.triggers.allSatisfy({ known.contains($0.sql) })
      else {
        try dropTables()
        try deleteStrays()
        return count
      }
    }
    return 0
  }

  /// Deletes what belongs to groups that are not there: members stay without their group for a
  /// snapshot's sake only.
  private func deleteStrays() throws(APIError) {
    for table in tables {
      guard case .group(let column, let groups) = table.owner else { continue }
      try transaction.execute(
        "DELETE FROM \(table.name) WHERE \(column) NOT IN (SELECT id FROM \(groups))")
    }
  }

  // MARK: Tables

  /// The SQL for each table. Columns come from the database, so a migration that adds one needs no
  /// change here.
  func statements() throws(APIError) -> [SnapshotSQL] {
    var statements: [SnapshotSQL] = []
    for table in tables {
      let columns = try transaction.all(
        "SELECT name, type FROM pragma_table_info(?)", arguments: [table.name]
      ) { SnapshotSQL.Column(name: $0[0], copy: $0[0], type: $0[1]) }
      statements.append(SnapshotSQL(table, columns: columns))
    }
    return statements
  }

  private func makeTables() throws(APIError) {
    try transaction.execute(
      """
      CREATE TABLE snapshots (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        project TEXT NOT NULL,
        name TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        memory TEXT NOT NULL,
        UNIQUE (project, name)
      )
      """)
    // Triggers look up the newest snapshot of a project in each change, so it has a table of its
    // own.
    try transaction.execute(
      """
      CREATE TABLE snapshot_heads (project TEXT PRIMARY KEY, snapshot INTEGER NOT NULL)
      WITHOUT ROWID
      """)
    for sql in try statements() {
      try transaction.execute(sql.createTable)
    }
    try makeTriggers()
  }

  private func makeTriggers() throws(APIError) {
    for sql in try statements() {
      for trigger in sql.triggers { try transaction.execute(trigger.sql) }
    }
  }

  private func dropTriggers() throws(APIError) {
    for sql in try statements() {
      for trigger in sql.triggers {
        try transaction.execute("DROP TRIGGER IF EXISTS \(trigger.name)")
      }
    }
  }

  /// Drops all that was made for snapshots, so that requests run the same statements as before the
  /// first.
  private func dropTables() throws(APIError) {
    try dropTriggers()
    for sql in try statements() {
      try transaction.execute("DROP TABLE IF EXISTS \(sql.copies)")
    }
    for table in tables where table.isFenced {
      try transaction.execute("DELETE FROM \(table.name) WHERE project = ''")
    }
    try transaction.execute("DROP TABLE snapshot_heads")
    try transaction.execute("DROP TABLE snapshots")
  }

  /// Triggers keep rows for that snapshot from now on; nil for none.
  func setHead(_ id: Int64?, of project: String) throws(APIError) {
    if let id {
      try transaction.execute(
        "INSERT OR REPLACE INTO snapshot_heads (project, snapshot) VALUES (?, ?)",
        arguments: [project, id])
    } else {
      try transaction.execute("DELETE FROM snapshot_heads WHERE project = ?", arguments: [project])
    }
  }

  /// Deletes the copies of a snapshot. Without copies of other snapshots the whole table is emptied,
  /// which is faster.
  func forgetCopies(of id: Int64, _ statements: [SnapshotSQL]) throws(APIError) {
    for sql in statements {
      guard try hasCopies(sql, of: id) else { continue }
      let others = try transaction.count(
        // Two comparisons, for which the primary key is looked up. `<>` would read all of it.
        """
        SELECT EXISTS (SELECT 1 FROM \(sql.copies) WHERE snapshot < ?1)
          OR EXISTS (SELECT 1 FROM \(sql.copies) WHERE snapshot > ?1)
        """, arguments: [id])
      if others == 0 {
        // SQLite drops all rows of a table at once.
        try transaction.execute("DELETE FROM \(sql.copies)")
      } else {
        try transaction.execute("DELETE FROM \(sql.copies) WHERE snapshot = ?", arguments: [id])
      }
    }
  }
}

extension SnapshotTable {
  /// Those with groups have fences of their own.
  var isFenced: Bool { reusesKeys && numbers.isEmpty }

  /// The table that rows of this one belong to.
  var groups: String? { if case .group(_, let table) = owner { table } else { nil } }
}

extension Snapshots.Entry {
  fileprivate init(row: ResultRow) {
    self.init(
      id: row[0], project: row[1], name: row[2], createdAt: row[3], bytes: row[4], memory: row[5])
  }
}
