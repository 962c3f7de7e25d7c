package import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

/// Finding and deleting messages. A project's mailbox holds the mail of all its tenants.
extension ProjectTransaction {
  /// The project's time. A context may have another one: of the project that the request counts
  /// for, or of the moment before a wait.
  var now: Timestamp { server.clocks.now(of: projectId) }

  /// The newest messages that match, in the order in which they came.
  package func messages(
    matching filter: MessageFilter = MessageFilter(), limit: Int
  ) throws(APIError) -> [Message] {
    let condition = condition(filter)
    let newestFirst = try transaction.all(
      """
      SELECT \(Message.columns) FROM messages WHERE \(condition.sql) ORDER BY id DESC LIMIT ?
      """,
      condition.arguments + [limit], Message.init(row:))
    return newestFirst.reversed()
  }

  package func latestMessage(matching filter: MessageFilter) throws(APIError) -> Message? {
    try messages(matching: filter, limit: 1).first
  }

  package func message(_ id: Int64) throws(APIError) -> Message? {
    try transaction.first(
      "SELECT \(Message.columns) FROM messages WHERE id = ? AND project = ?", [id, projectId],
      Message.init(row:))
  }

  package func deleteMessages(
    matching filter: MessageFilter = MessageFilter()
  ) throws(APIError) {
    let condition = condition(filter)
    if server.changes.isWatched {
      let ids = try transaction.all(
        "SELECT id FROM messages WHERE \(condition.sql) ORDER BY id", condition.arguments
      ) { $0[0] as Int64 }
      for id in ids { tellDeleted(id) }
    }
    try transaction.execute(
      "DELETE FROM messages WHERE \(condition.sql)", condition.arguments)
  }

  /// Whether there was such a message.
  package func deleteMessage(_ id: Int64) throws(APIError) -> Bool {
    try transaction.execute(
      "DELETE FROM messages WHERE id = ? AND project = ?", [id, projectId])
    guard transaction.changedRows > 0 else { return false }
    tellDeleted(id)
    return true
  }

  private func tellDeleted(_ id: Int64) {
    tell("message.deleted", .members(["id": .string(String(id))]))
  }

  private func condition(_ filter: MessageFilter) -> (sql: String, arguments: Arguments) {
    var sql = "project = ?"
    var arguments: Arguments = [projectId]
    if let recipient = filter.recipient {
      sql += " AND recipient = ?"
      arguments += [recipient]
    }
    if let tenantId = filter.tenantId {
      sql += " AND tenant = ?"
      arguments += [tenantId]
    }
    if let after = filter.after {
      sql += " AND id > ?"
      arguments += [after]
    }
    if let since = filter.since {
      sql += " AND created_at >= ?"
      arguments += [since.milliseconds]
    }
    switch filter.state {
    case .pending:
      sql += " AND used_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"
      arguments += [now.milliseconds]
    case .used: sql += " AND used_at IS NOT NULL"
    case .expired:
      sql += " AND used_at IS NULL AND expires_at <= ?"
      arguments += [now.milliseconds]
    case nil: break
    }
    if !filter.types.isEmpty {
      sql += " AND type IN (" + filter.types.map { _ in "?" }.joined(separator: ", ") + ")"
      arguments += Arguments(filter.types)
    }
    return (sql, arguments)
  }
}

extension Transaction {
  /// The projects that have mail, the newest first; at most so many.
  package func projectsWithMail(limit: Int) throws(APIError) -> [String] {
    try all(
      "SELECT project FROM messages GROUP BY project ORDER BY max(id) DESC LIMIT ?", [limit]
    ) { $0[0] as String }
  }

  /// No message has ever had a higher id, and every later one will. The newest one may be gone, and
  /// come back with a snapshot.
  package func newestMessageID() throws(APIError) -> Int64 {
    try first("SELECT seq FROM sqlite_sequence WHERE name = 'messages'") { $0[0] as Int64 } ?? 0
  }

  /// The messages of all projects that are newer than that one, oldest first; not too many at once.
  package func messages(after id: Int64) throws(APIError) -> [Message] {
    try all(
      "SELECT \(Message.columns) FROM messages WHERE id > ? ORDER BY id LIMIT 10000", [id],
      Message.init(row:))
  }
}
