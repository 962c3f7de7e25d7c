package import HearthErrors
package import HearthSQLite

/// How many bytes each open project holds: of documents, accounts and mails, as they are stored.
///
/// SQLite keeps count with temporary triggers, which only a shared server has: whatever writes is
/// counted in the transaction that writes, and what is too much undoes it as a whole. What is not
/// counted has bounds of its own, or is small: index entries, sessions, settings, snapshots.
package enum ByteQuotas {
  /// A table, and SQL for the project of a row and for its bytes. `{row}` is `NEW` or `OLD`.
  private struct Source {
    let table: String
    let project: String
    let bytes: String
    /// The rows of a project, which is an argument.
    var ofProject = "project = ?"

    func text(_ template: String, of row: String) -> String {
      template.replacing("{row}", with: row)
    }
  }

  private static let sources = [
    Source(
      table: "firestore_documents",
      project: "(SELECT project FROM firestore_collections WHERE id = {row}.collection)",
      bytes: "length({row}.fields) + length(CAST({row}.name AS BLOB))",
      ofProject: "collection IN (SELECT id FROM firestore_collections WHERE project = ?)"),
    Source(
      table: "users", project: "{row}.project", bytes: "length(CAST({row}.record AS BLOB))"),
    Source(
      table: "messages", project: "{row}.project",
      bytes: "length(CAST({row}.subject || {row}.text || {row}.html AS BLOB))"),
    Source(
      table: "mails", project: "{row}.project",
      bytes: "length({row}.raw) + length(CAST({row}.details AS BLOB))"),
  ]

  /// Begins to keep count, in the transaction of a store that has just been opened.
  package static func begin(in transaction: Transaction) throws(APIError) {
    try transaction.execute(
      """
      CREATE TEMP TABLE used_bytes (
        project TEXT PRIMARY KEY, bytes INTEGER NOT NULL, most INTEGER
      ) WITHOUT ROWID
      """)
    for source in sources {
      for (event, change) in [
        ("INSERT", source.text(source.bytes, of: "NEW")),
        ("DELETE", "-(" + source.text(source.bytes, of: "OLD") + ")"),
        (
          "UPDATE",
          source.text(source.bytes, of: "NEW") + " - ("
            + source.text(source.bytes, of: "OLD") + ")"
        ),
      ] {
        let row = event == "DELETE" ? "OLD" : "NEW"
        try add(
          event, on: source.table, change: change, to: source.text(source.project, of: row),
          in: transaction)
      }
    }
    // Documents of a collection may go before it or after it, and come back with it.
    let documents = "firestore_collections"
    for (event, row, sign) in [("INSERT", "NEW", ""), ("DELETE", "OLD", "-")] {
      let held = """
        \(sign)(SELECT coalesce(sum(length(fields) + length(CAST(name AS BLOB))), 0)
          FROM firestore_documents WHERE collection = \(row).id)
        """
      try add(event, on: documents, change: held, to: "\(row).project", in: transaction)
    }
    try countMoves(in: transaction)
    try transaction.execute(
      """
      CREATE TEMP TRIGGER used_bytes_most AFTER UPDATE OF bytes ON used_bytes
      WHEN NEW.bytes > OLD.bytes AND NEW.bytes > NEW.most
      BEGIN SELECT RAISE(ABORT, '\(StoreRefusal.quota)'); END
      """)
  }

  /// What is imported is staged under a name that is no project's, and then moves: a collection with
  /// its documents, or documents into a collection that is there.
  private static func countMoves(in transaction: Transaction) throws(APIError) {
    try addMove(
      of: "project", on: "firestore_collections",
      bytes: """
        (SELECT coalesce(sum(length(fields) + length(CAST(name AS BLOB))), 0)
          FROM firestore_documents WHERE collection = NEW.id)
        """, from: "OLD.project", to: "NEW.project", in: transaction)
    for source in sources where source.table == "firestore_documents" {
      // By how much it grows is counted as with any update.
      try addMove(
        of: "collection", on: source.table, bytes: "(\(source.text(source.bytes, of: "OLD")))",
        from: source.text(source.project, of: "OLD"), to: source.text(source.project, of: "NEW"),
        in: transaction)
    }
  }

  private static func addMove(
    of column: String, on table: String, bytes: String, from old: String, to new: String,
    in transaction: Transaction
  ) throws(APIError) {
    try transaction.execute(
      """
      CREATE TEMP TRIGGER used_bytes_\(table)_move AFTER UPDATE OF \(column) ON main.\(table)
      WHEN OLD.\(column) IS NOT NEW.\(column) BEGIN
        UPDATE used_bytes SET bytes = bytes - \(bytes) WHERE project = \(old)
          AND project IS NOT \(new);
        UPDATE used_bytes SET bytes = bytes + \(bytes) WHERE project = \(new)
          AND project IS NOT \(old);
      END
      """)
  }

  private static func add(
    _ event: String, on table: String, change: String, to project: String,
    in transaction: Transaction
  ) throws(APIError) {
    try transaction.execute(
      """
      CREATE TEMP TRIGGER used_bytes_\(table)_\(event.lowercased()) AFTER \(event)
      ON main.\(table) BEGIN
        UPDATE used_bytes SET bytes = bytes + \(change) WHERE project = \(project);
      END
      """)
  }

  /// Counts what a project holds, and keeps count from now on.
  package static func watch(
    _ project: SharedProject, in transaction: Transaction
  ) throws(APIError) {
    var sum: Int64 = 0
    for source in sources {
      sum +=
        try transaction.first(
          """
          SELECT coalesce(sum(\(source.text(source.bytes, of: "held"))), 0)
          FROM \(source.table) held WHERE \(source.ofProject)
          """, arguments: [project.id]
        ) { $0[0] as Int64 } ?? 0
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO used_bytes (project, bytes, most) VALUES (?, ?, ?)",
      arguments: [project.id, sum, project.quota])
  }

  package static func forget(
    _ project: SharedProject, in transaction: Transaction
  ) throws(APIError) {
    try transaction.execute("DELETE FROM used_bytes WHERE project = ?", arguments: [project.id])
  }

  /// Bytes by project.
  package static func used(in transaction: Transaction) throws(APIError) -> [String: Int64] {
    let rows = try transaction.all("SELECT project, bytes FROM used_bytes") {
      (project: $0[0] as String, bytes: $0[1] as Int64)
    }
    return Dictionary(rows.map { ($0.project, $0.bytes) }) { first, _ in first }
  }
}
