/// A table whose rows snapshots hold, as the owner of the table describes it.
///
/// It says what SQLite cannot: which columns tell the project, and which numbers are references.
package struct SnapshotTable: Sendable {
  /// Whose a row is.
  package enum Owner: Sendable {
    /// The project in the column `project`.
    case project
    /// The project of a row of another table: the column here holds the key there. Where that row
    /// is deleted and this one stays, a snapshot holds it.
    case group(column: String, table: String)
  }

  /// What becomes of a row when an older version of it comes back.
  package enum Return: Sendable {
    /// It is deleted before: the older one may have a name that a third row has now.
    case afterDeletion
    /// These columns are set. Unique indexes besides that of the key have other columns only, which
    /// never change.
    case byUpdate([String])
    /// The older one replaces it. It has no index but that of the key.
    case byReplacement
  }

  /// The name of the table, which is also part of the names of its copies and triggers.
  package let name: String
  /// The columns of the primary key.
  package let key: [String]
  package let owner: Owner
  /// SQLite makes the key, a number.
  package let makesKey: Bool
  /// SQLite gives the numbers of deleted rows to new ones.
  package let reusesKeys: Bool
  /// The order in which rows were written counts, and no column tells it.
  package let isOrdered: Bool
  /// The column with the time of the last change: a restore is one, where it changes the row.
  package let stamp: String?
  let comesBack: Return
  /// The columns that hold keys which SQLite made, and the tables that they are of.
  ///
  /// A fork gives those rows other numbers, and the references to them as well.
  package let numbers: [String: String]
  /// Whether a fork has the rows too.
  package let isForked: Bool

  package init(
    _ name: String, key: [String], owner: Owner = .project, makesKey: Bool = false,
    reusesKeys: Bool = true, isOrdered: Bool = false, stamp: String? = nil,
    comesBack: Return = .afterDeletion, numbers: [String: String] = [:],
    isForked: Bool = true
  ) {
    self.name = name
    self.key = key
    self.owner = owner
    self.makesKey = makesKey
    self.reusesKeys = makesKey && reusesKeys
    self.isOrdered = isOrdered
    self.stamp = stamp
    self.comesBack = comesBack
    self.numbers = numbers
    self.isForked = isForked
  }
}

/// A table with its columns, and the SQL that is made of them.
struct SnapshotSQL {
  /// A column, with the names that it has in both tables. They differ for a rowid only.
  struct Column {
    /// As the table names it.
    let name: String
    /// As the copies name it.
    let copy: String
    let type: String
  }

  let table: SnapshotTable
  let columns: [Column]

  init(_ table: SnapshotTable, columns: [Column]) {
    self.table = table
    self.columns =
      table.isOrdered
      ? [Column(name: "rowid", copy: "row_number", type: "INTEGER")] + columns : columns
  }

  /// The table of the rows that differ: `snapshot` is the newest one that was there when a row was
  /// changed first, and `present` whether it held the row.
  var copies: String { "snapshot_\(table.name)" }
  var names: String { columns.map(\.name).joined(separator: ", ") }
  var copyNames: String { columns.map(\.copy).joined(separator: ", ") }
  var key: String { table.key.joined(separator: ", ") }

  var createTable: String {
    """
    CREATE TABLE \(copies) (
      snapshot INTEGER NOT NULL, present INTEGER NOT NULL,
      \(columns.map { "\($0.copy) \($0.type)" }.joined(separator: ", ")),
      PRIMARY KEY (snapshot, \(key))
    ) WITHOUT ROWID
    """
  }

  // MARK: Rows that come back

  /// The columns of a copy as they are inserted; `?2` is the snapshot, and `?3` the time of last change.
  var restoredValues: String {
    let values = columns.map { column in
      if column.name == "rowid" {
        // Other projects may have taken some of them. Then all get new ones, in their order: given out
        // one by one, a new one could be that of a row which comes later.
        return """
          CASE WHEN EXISTS (SELECT 1 FROM \(copies) mine JOIN \(table.name) other
              ON other.rowid = mine.row_number WHERE mine.snapshot = ?2 AND mine.present)
            THEN NULL ELSE row_number END
          """
      }
      return column.name == table.stamp ? "coalesce(?3, \(column.copy))" : column.copy
    }
    return values.joined(separator: ", ")
  }

  /// How rows are inserted. To replace is quicker where it can be done: SQLite does not look first.
  var insertion: String {
    if case .byReplacement = table.comesBack { "INSERT OR REPLACE" } else { "INSERT" }
  }

  /// What an insertion does where another version of the row is there.
  var conflict: String {
    guard case .byUpdate(let columns) = table.comesBack else { return "" }
    let changes = columns.map { "\($0) = excluded.\($0)" }
    return "ON CONFLICT (\(key)) DO UPDATE SET \(changes.joined(separator: ", "))"
  }

  /// Which copies tell of rows that are to be deleted first.
  var deletes: String {
    if case .afterDeletion = table.comesBack { "" } else { "AND NOT present" }
  }

  // MARK: Triggers

  /// They keep a row when it is changed for the first time after a snapshot.
  var triggers: [(name: String, sql: String)] {
    var triggers = [
      // A row may change its key: then the row with the old key is kept, and `move` notes the new
      // one.
      trigger("update", event: "BEFORE UPDATE", body: holding("OLD")),
      trigger("delete", event: "BEFORE DELETE", body: holding("OLD")),
      trigger(
        // SQLite has no number for a new row before it is inserted.
        "insert", event: table.makesKey ? "AFTER INSERT" : "BEFORE INSERT",
        body: lacking(mayReplace: !table.makesKey)),
    ]
    // Another key, or another project, makes another row of it.
    let identity = table.key + identityColumns.filter { !table.key.contains($0) }
    triggers.append(
      trigger(
        "move", event: "AFTER UPDATE OF \(identity.joined(separator: ", "))",
        body: lacking(mayReplace: false)))
    return triggers
  }

  private var identityColumns: [String] {
    switch table.owner {
    case .project: ["project"]
    case .group(let column, _): [column]
    }
  }

  private func trigger(_ name: String, event: String, body: String) -> (
    name: String, sql: String
  ) {
    let name = "\(copies)_\(name)"
    return (name, "CREATE TRIGGER \(name) \(event) ON \(table.name) BEGIN \(body); END")
  }

  /// The newest snapshot of the project of a row.
  ///
  /// No row without a snapshot, and then the trigger's `SELECT` inserts nothing.
  private func head(of row: String) -> String {
    let project =
      switch table.owner {
      case .project: "\(row).project"
      case .group(let column, let groups):
        "(SELECT project FROM \(groups) WHERE id = \(row).\(column))"
      }
    return "(SELECT snapshot FROM snapshot_heads WHERE project = \(project)) head"
  }

  /// Whether no copy of the row is kept yet for the newest snapshot. Not `INSERT OR IGNORE`: within
  /// a trigger, the statement that has fired it decides on conflicts.
  private func isFirst(_ row: String) -> String {
    let same = table.key.map { "kept.\($0) = \(row).\($0)" }.joined(separator: " AND ")
    return
      "NOT EXISTS (SELECT 1 FROM \(copies) kept WHERE kept.snapshot = head.snapshot AND \(same))"
  }

  /// Keeps the row as it is before the change.
  private func holding(_ row: String) -> String {
    """
    INSERT INTO \(copies) (snapshot, present, \(copyNames))
    SELECT head.snapshot, 1, \(columns.map { "\(row).\($0.name)" }.joined(separator: ", "))
    FROM \(head(of: row)) WHERE \(isFirst(row))
    """
  }

  /// Records that the row did not exist. A row that is replaced did: `INSERT OR REPLACE` fires a
  /// trigger for the row that it deletes only where recursive triggers are on.
  private func lacking(mayReplace: Bool) -> String {
    let identity = Set(table.key + identityColumns)
    let same = table.key.map { "former.\($0) = NEW.\($0)" }.joined(separator: " AND ")
    let values = columns.map { column in
      identity.contains(column.name)
        ? "NEW.\(column.name)" : mayReplace ? "former.\(column.name)" : "NULL"
    }
    return """
      INSERT INTO \(copies) (snapshot, present, \(copyNames))
      SELECT head.snapshot, \(mayReplace ? "former.\(table.key[0]) IS NOT NULL" : "0"),
        \(values.joined(separator: ", "))
      FROM \(head(of: "NEW")) \(mayReplace ? "LEFT JOIN \(table.name) former ON \(same)" : "")
      WHERE \(isFirst("NEW"))
      """
  }
}
