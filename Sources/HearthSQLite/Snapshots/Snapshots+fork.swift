package import HearthErrors

extension Snapshots {
  /// Gives another project, which has nothing, a copy of what a snapshot holds.
  ///
  /// SQL copies what a table holds, and a snapshot is not a table of its own: so the project
  /// becomes the snapshot for a moment, within the transaction, and nobody sees it.
  package func fork(_ entry: Entry, to other: String, stamp: Int64) throws(APIError) {
    // Numbers beyond all that there are now: those that are put back at the end are among them.
    let highest = try highestNumbers()
    guard try hasChanged(since: entry) else {
      // No trigger has to fire, since the other project has no snapshot.
      return try transaction.withoutTriggers { () throws(APIError) in
        try copy(from: entry.project, to: other, stamp: stamp, highest: highest)
      }
    }
    // What the project has now comes back afterwards.
    // The name has a slash so that it is nobody else's.
    let now = try save(
      "/now", of: entry.project, createdAt: entry.createdAt, bytes: 0, memory: "{}")
    try restore(entry, stamp: nil)
    try transaction.withoutTriggers { () throws(APIError) in
      try copy(from: entry.project, to: other, stamp: stamp, highest: highest)
    }
    guard let present = try entries(of: entry.project).first(where: { $0.id == now }) else {
      return
    }
    try restore(present, stamp: nil)
    try delete(present)
  }

  /// Gives another project, which has nothing, a copy of what a project holds now.
  package func fork(_ project: String, to other: String, stamp: Int64) throws(APIError) {
    let highest = try highestNumbers()
    try transaction.withoutTriggers { () throws(APIError) in
      try copy(from: project, to: other, stamp: stamp, highest: highest)
    }
  }

  /// Whether the project may differ from what the snapshot holds.
  private func hasChanged(since entry: Entry) throws(APIError) -> Bool {
    let later = try entries(of: entry.project).map(\.id).filter { $0 >= entry.id }
    for sql in try statements() {
      for id in later {
        if try hasCopies(sql, of: id) { return true }
      }
    }
    return false
  }

  private func copy(
    from project: String, to other: String, stamp: Int64, highest: [String: Int64]
  ) throws(APIError) {
    let statements = try statements()
    // How far the numbers of the copies are from those that are copied.
    var distances: [String: Int64] = [:]
    var spans: [String: Span] = [:]
    // The copies keep their distances, so references are translated by adding one number.
    for (name, number) in highest {
      guard let table = tables.first(where: { $0.name == name }) else { continue }
      spans[name] = try span(of: table, condition: isOwned(table), arguments: [project])
      distances[name] = number - (spans[name]?.lowest ?? 0) + 1
    }
    for sql in statements where sql.table.isForked {
      try copy(
        sql, from: project, to: other, stamp: stamp, distances: distances,
        span: spans[sql.table.name])
    }
  }

  private func copy(
    _ sql: SnapshotSQL, from project: String, to other: String, stamp: Int64,
    distances: [String: Int64], span: Span?
  ) throws(APIError) {
    let table = sql.table
    // Numbers that nobody refers to are given out again, in their order.
    let columns = sql.columns.filter { column in
      table.numbers[column.name] != nil
        || column.name != "rowid" && !(table.makesKey && column.name == table.key[0])
    }
    let values = columns.map { column in
      if let numbered = table.numbers[column.name] {
        return "\(column.name) + \(distances[numbered] ?? 0)"
      }
      return column.name == "project" ? "?2" : column.name == table.stamp ? "?3" : column.name
    }
    let condition =
      switch table.owner {
      case .project: "project = ?1"
      case .group where table.makesKey: inOrder(table, span: span)
      case .group: isOwned(table)
      }
    let order = table.isOrdered ? "rowid" : sql.key
    // SQLite refuses arguments that no placeholder of the statement uses.
    try transaction.execute(
      """
      \(sql.insertion) INTO \(table.name) (\(columns.map(\.name).joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM \(table.name) WHERE \(condition)
        AND ?2 = ?2 AND ?3 = ?3 ORDER BY \(order)
      """,
      arguments: [project, other, stamp])
  }

  /// Has the rows of groups read in the order of their table, which is quicker than one by one.
  ///
  /// The plus keeps SQLite from using the index of that column instead.
  private func inOrder(_ table: SnapshotTable, span: Span?) -> String {
    let key = table.key[0]
    guard let span, span.isDense else {
      return "\(key) IN (SELECT \(key) FROM \(table.name) WHERE \(isOwned(table)))"
    }
    return "\(key) BETWEEN \(span.lowest) AND \(span.highest) AND +\(isOwned(table))"
  }

  private func isOwned(_ table: SnapshotTable) -> String {
    switch table.owner {
    case .project: "project = ?1"
    case .group(let column, let groups):
      "\(column) IN (SELECT id FROM \(groups) WHERE project = ?1)"
    }
  }

  /// The highest number in each table whose numbers are referred to.
  private func highestNumbers() throws(APIError) -> [String: Int64] {
    var highest: [String: Int64] = [:]
    for table in tables where table.makesKey && table.numbers[table.key[0]] != nil {
      var number = try number("SELECT max(\(table.key[0])) FROM \(table.name)")
      if !table.reusesKeys {
        // A snapshot may hold rows with numbers above those that are there.
        let given = "SELECT seq FROM sqlite_sequence WHERE name = '\(table.name)'"
        number = max(number, try self.number(given))
      }
      for other in tables {
        guard case .group(let column, table.name) = other.owner else { continue }
        // Of groups that a snapshot holds there are the members only.
        number = max(number, try self.number("SELECT max(\(column)) FROM \(other.name)"))
      }
      highest[table.name] = number
    }
    return highest
  }

  private func number(_ sql: String) throws(APIError) -> Int64 {
    try transaction.first(sql) { $0[0] as Int64 } ?? 0
  }

  /// About the bytes that the rows of a project take: characters of texts, bytes of blobs, and 16
  /// for each row.
  package func size(of project: String) throws(APIError) -> Int64 {
    var sum: Int64 = 0
    for sql in try statements() {
      let lengths = sql.columns.filter { $0.type != "INTEGER" }
        .map { "coalesce(length(\($0.name)), 0)" }.joined(separator: " + ")
      sum +=
        try transaction.first(
          "SELECT total(\(lengths.isEmpty ? "0" : lengths)) + 16 * count(*) FROM \(sql.table.name) "
            + "WHERE \(isOwned(sql.table))", arguments: [project]
        ) { $0[0] as Int64 } ?? 0
    }
    return sum
  }
}
