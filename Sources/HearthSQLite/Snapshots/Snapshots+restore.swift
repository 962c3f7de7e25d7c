package import HearthErrors

extension Snapshots {
  /// The rows that differ from one that is not the newest are collected under this number.
  /// Snapshots count from 1.
  private static let scratch: Int64 = 0

  /// Gives a project the rows of a snapshot. Changed rows get `stamp` as the time of their last
  /// change, or keep the original time if it is nil.
  ///
  /// Snapshots after this one stay, and for them the restore is a change like others.
  package func restore(_ entry: Entry, stamp: Int64?) throws(APIError) {
    let project = entry.project
    let ids = try entries(of: project).map(\.id).filter { $0 >= entry.id }
    // Read before the rows change, and compared at the end.
    let kept = try keptGroups(of: project)
    let statements = try statements()
    if ids.count == 1 {
      // What is put back need not be kept again.
      try transaction.withoutTriggers { () throws(APIError) in
        try putBack(statements, source: entry.id, project: project, isNewest: true, stamp: stamp)
      }
      try forgetCopies(of: entry.id, statements)
    } else {
      // With the triggers on, which keep for the newest snapshot what is changed here.
      for sql in statements { try collect(sql, ids: ids) }
      try putBack(statements, source: Self.scratch, project: project, isNewest: false, stamp: stamp)
      try forgetCopies(of: Self.scratch, statements)
    }
    try deleteRows(ofGroups: kept, besides: try keptGroups(of: project))
  }

  /// Of each row that was changed since a snapshot, the oldest copy.
  private func collect(_ sql: SnapshotSQL, ids: [Int64]) throws(APIError) {
    let same = sql.table.key.map { "older.\($0) = copy.\($0)" }.joined(separator: " AND ")
    let list = ids.map(String.init).joined(separator: ", ")
    try transaction.execute(
      """
      INSERT INTO \(sql.copies) (snapshot, present, \(sql.copyNames))
      SELECT ?, present, \(sql.copyNames) FROM \(sql.copies) copy WHERE snapshot IN (\(list))
        AND NOT EXISTS (SELECT 1 FROM \(sql.copies) older WHERE older.snapshot IN (\(list))
          AND older.snapshot < copy.snapshot AND \(same))
      """,
      arguments: [Self.scratch])
  }

  private func putBack(
    _ statements: [SnapshotSQL], source: Int64, project: String, isNewest: Bool,
    stamp: Int64?
  ) throws(APIError) {
    let live = try liveGroups(of: project)
    var changed: [SnapshotSQL] = []
    for sql in statements {
      if try hasCopies(sql, of: source) { changed.append(sql) }
    }
    let groups = Set(tables.compactMap(\.groups))
    for sql in changed where groups.contains(sql.table.name) {
      try putBack(sql, source: source, project: project, isNewest: isNewest, stamp: stamp)
    }
    // Before their members come back that were changed one by one: those get the time anyway.
    if let stamp { try touch(try liveGroups(of: project).subtracting(live), stamp: stamp) }
    for sql in changed where !groups.contains(sql.table.name) {
      try putBack(sql, source: source, project: project, isNewest: isNewest, stamp: stamp)
    }
  }

  /// Whether any row of the table was changed for that snapshot. It reads one row.
  func hasCopies(_ sql: SnapshotSQL, of snapshot: Int64) throws(APIError) -> Bool {
    try transaction.first(
      "SELECT 1 FROM \(sql.copies) WHERE snapshot = ? LIMIT 1", arguments: [snapshot]
    ) { _ in true } ?? false
  }

  /// Rows that are to go are deleted first, so that those that come do not meet them.
  private func putBack(
    _ sql: SnapshotSQL, source: Int64, project: String, isNewest: Bool, stamp: Int64?
  ) throws(APIError) {
    let table = sql.table
    var owned = "+project = ?1"
    var arrives = "true"
    if case .group(let column, let groups) = table.owner {
      // Rows of groups that were cleared change with the newest snapshot only: its copies go, while
      // those of older ones stay good.
      owned = "+\(column) IN (\(self.groups(groups, choice: isNewest ? .known : .live)))"
      arrives = "\(column) IN (\(self.groups(groups, choice: isNewest ? .kept : .live)))"
    }
    // Backwards, for SQLite to look up the whole key: it takes the first of two columns only when
    // that is the first one here.
    let columns = table.key.reversed().joined(separator: ", ")
    let key = table.key.count == 1 ? columns : "(\(columns))"
    try transaction.execute(
      """
      DELETE FROM \(table.name) WHERE \(key) IN
        (SELECT \(columns) FROM \(sql.copies) WHERE snapshot = ?2 \(sql.deletes)) AND \(owned)
      """,
      arguments: [project, source])
    try transaction.execute(
      """
      \(sql.insertion) INTO \(table.name) (\(sql.names)) SELECT \(sql.restoredValues)
      FROM \(sql.copies) copy WHERE snapshot = ?2 AND present AND \(arrives) AND ?3 IS ?3
      \(table.isOrdered ? "ORDER BY row_number" : "") \(sql.conflict)
      """,
      arguments: [project, source, stamp])
  }

  // MARK: Groups

  private enum GroupChoice { case live, kept, known }

  /// The groups of the project in `?1`: those that are there, with those that a snapshot holds, or
  /// with all that were changed.
  private func groups(_ table: String, choice: GroupChoice) -> String {
    let live = "SELECT id FROM \(table) WHERE project = ?1"
    let copies = "SELECT id FROM snapshot_\(table) WHERE project = ?1"
    // The number of a group that no snapshot holds may be another project's by now.
    let gone = "\(copies) AND id NOT IN (SELECT id FROM \(table))"
    return switch choice {
    case .live: live
    case .kept: "\(live) UNION \(copies) AND present"
    case .known: "\(live) UNION \(gone)"
    }
  }

  /// The tables whose rows belong to groups, with the column that says to which.
  private var members: [(table: SnapshotTable, column: String, groups: String)] {
    tables.compactMap { table in
      guard case .group(let column, let groups) = table.owner else { return nil }
      return (table, column, groups)
    }
  }

  private func groupIds(
    of project: String, _ choice: GroupChoice
  ) throws(APIError) -> Set<Int64> {
    var ids: Set<Int64> = []
    for table in Set(members.map(\.groups)) {
      ids.formUnion(
        try transaction.all(groups(table, choice: choice), arguments: [project]) { $0[0] as Int64 })
    }
    return ids
  }

  /// The numbers of the groups that the project or one of its snapshots has.
  func keptGroups(of project: String) throws(APIError) -> Set<Int64> {
    try groupIds(of: project, .kept)
  }

  private func liveGroups(of project: String) throws(APIError) -> Set<Int64> {
    try groupIds(of: project, .live)
  }

  /// Deletes what belongs to groups that neither a project nor a snapshot has any more.
  func deleteRows(ofGroups before: Set<Int64>, besides after: Set<Int64>) throws(APIError) {
    // As JSON in one argument: a list of placeholders would be another statement for each length.
    let gone = Self.list(before.subtracting(after))
    guard gone != "[]" else { return }
    for member in members {
      try transaction.execute(
        "DELETE FROM \(member.table.name) WHERE \(member.column) IN (SELECT value FROM json_each(?))",
        arguments: [gone])
    }
  }

  /// Takes groups away from a project. What belongs to them stays, for as long as a snapshot needs
  /// it: that is quicker than to copy it, in both directions.
  ///
  /// - Returns: false, without a change, where the project has no snapshot.
  package func setAside(
    _ condition: String, of project: String, arguments: Arguments
  ) throws(APIError) -> Bool {
    guard try Self.exist(in: transaction), try !entries(of: project).isEmpty else { return false }
    let kept = try keptGroups(of: project)
    for table in Set(members.map(\.groups)) {
      try transaction.execute(
        "DELETE FROM \(table) WHERE project = ? AND \(condition)", arguments: [project] + arguments)
    }
    try deleteRows(ofGroups: kept, besides: try keptGroups(of: project))
    return true
  }

  /// Sets the time of last change of all that belongs to groups.
  private func touch(_ groups: Set<Int64>, stamp: Int64) throws(APIError) {
    for member in members {
      guard let column = member.table.stamp else { continue }
      let key = member.table.key[0]
      for group in groups.sorted() {
        guard
          let span = try span(
            of: member.table, condition: "\(member.column) = ?", arguments: [group])
        else {
          continue
        }
        if span.isDense {
          // In the order of the table, and without looking each row up.
          try transaction.execute(
            """
            UPDATE \(member.table.name) SET \(column) = ?
            WHERE \(key) BETWEEN ? AND ? AND +\(member.column) = ?
            """,
            arguments: [stamp, span.lowest, span.highest, group])
        } else {
          try transaction.execute(
            "UPDATE \(member.table.name) SET \(column) = ? WHERE \(member.column) = ?",
            arguments: [stamp, group])
        }
      }
    }
  }

  /// Where rows lie in the order of their table.
  struct Span {
    let lowest: Int64
    let highest: Int64
    let count: Int64

    /// Whether few other rows lie between them.
    var isDense: Bool { highest - lowest < 4 * count }
  }

  /// Nil without such rows.
  func span(
    of table: SnapshotTable, condition: String, arguments: Arguments
  ) throws(APIError) -> Span? {
    let key = table.key[0]
    return try transaction.first(
      "SELECT min(\(key)), max(\(key)), count(*) FROM \(table.name) WHERE \(condition)",
      arguments: arguments
    ) { row in
      guard let lowest = row[0] as Int64?, let highest = row[1] as Int64? else { return nil }
      return Span(lowest: lowest, highest: highest, count: row[2])
    } ?? nil
  }

  private static func list(_ ids: Set<Int64>) -> String {
    "[\(ids.sorted().map(String.init).joined(separator: ","))]"
  }
}
