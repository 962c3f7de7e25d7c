package import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

/// Finding and deleting messages. A project's mailbox holds the mail of all its tenants.
extension Mailbox {
  /// The project's time. A context may have another one: of the project that the request counts
  /// for, or of the moment before a wait.
  var now: Timestamp { server.clocks.now(of: projectId) }

  /// The newest messages that match, in the order in which they came. Summaries are for lists.
  package func messages(
    matching filter: MessageFilter = MessageFilter(), limit: Int, asSummaries: Bool = false
  ) throws(APIError) -> [Message] {
    let columns = asSummaries ? Message.summaryColumns : Message.columns
    let condition = try condition(filter)
    let newestFirst = try transaction.all(
      """
      SELECT \(columns) FROM messages WHERE \(condition.sql) ORDER BY id DESC LIMIT ?
      """,
      arguments: condition.arguments + [limit], read: Message.init(row:))
    return newestFirst.reversed()
  }

  func messageCount(matching filter: MessageFilter) throws(APIError) -> Int {
    let condition = try condition(filter)
    return try transaction.count(
      "SELECT COUNT(*) FROM messages WHERE \(condition.sql)", arguments: condition.arguments)
  }

  package func latestMessage(matching filter: MessageFilter) throws(APIError) -> Message? {
    try messages(matching: filter, limit: 1).first
  }

  package func message(_ id: Int64) throws(APIError) -> Message? {
    try transaction.first(
      "SELECT \(Message.columns) FROM messages WHERE id = ? AND project = ?",
      arguments: [id, projectId],
      read: Message.init(row:))
  }

  package func deleteMessages(
    matching filter: MessageFilter = MessageFilter()
  ) throws(APIError) {
    let condition = try condition(filter)
    if server.changes.isWatched {
      let ids = try transaction.all(
        "SELECT id FROM messages WHERE \(condition.sql) ORDER BY id", arguments: condition.arguments
      ) { $0[0] as Int64 }
      for id in ids { publishDeletion(id) }
    }
    try transaction.execute(
      "DELETE FROM messages WHERE \(condition.sql)", arguments: condition.arguments)
    try deleteParts(of: projectId)
  }

  /// Whether there was such a message.
  package func deleteMessage(_ id: Int64) throws(APIError) -> Bool {
    try transaction.execute(
      "DELETE FROM messages WHERE id = ? AND project = ?", arguments: [id, projectId])
    guard transaction.changedRows > 0 else { return false }
    try deleteParts(of: id)
    publishDeletion(id)
    return true
  }

  private func publishDeletion(_ id: Int64) {
    publish("message.deleted", members: .members(["id": .string(String(id))]))
  }

  private func condition(
    _ filter: MessageFilter
  ) throws(APIError) -> (sql: String, arguments: Arguments) {
    var sql = "project = ?"
    var arguments: Arguments = [projectId]
    if let recipient = filter.recipient {
      let number = filter.number
      sql += number == nil ? " AND recipient = ?" : " AND recipient IN (?, ?)"
      arguments += [recipient]
      if let number { arguments += [number] }
      // Most mails have one recipient, and the index of the column finds those fastest.
      if number == nil, try isFurtherRecipient(recipient) {
        sql = """
          project = ? AND (recipient = ? OR id IN
            (SELECT message FROM mail_recipients WHERE project = ? AND address = ?))
          """
        arguments += [projectId, recipient]
      }
    }
    if let tenantId = filter.tenantId {
      sql += " AND tenant = ?"
      arguments += [tenantId]
    }
    if let after = filter.after {
      sql += " AND id > ?"
      arguments += [after]
    }
    if let before = filter.before {
      sql += " AND id < ?"
      arguments += [before]
    }
    if let since = filter.since {
      sql += " AND created_at >= ?"
      arguments += [since.milliseconds]
    }
    if let state = filter.state?.sql(at: now) {
      sql += " AND \(state.sql)"
      arguments += state.arguments
    }
    if !filter.types.isEmpty {
      sql += " AND type IN (" + filter.types.map { _ in "?" }.joined(separator: ", ") + ")"
      arguments += Arguments(filter.types)
    }
    switch filter.delivery {
    case .any: break
    case .sent: sql += " AND (delivery IS NULL OR \(Self.deliveryState) <> 'notSent')"
    case .state(let state):
      sql += " AND coalesce(\(Self.deliveryState), 'delivered') = ?"
      arguments += [state.rawValue]
    }
    if let search = filter.search?.condition(at: now) {
      sql += search.sql
      arguments += search.arguments
    }
    return (sql, arguments)
  }

  private static var deliveryState: String { "json_extract(delivery, '$.state')" }

  /// Whether the address is among the recipients of a mail that went to another one first.
  private func isFurtherRecipient(_ address: String) throws(APIError) -> Bool {
    try transaction.first(
      "SELECT 1 FROM mail_recipients WHERE project = ? AND address = ? LIMIT 1",
      arguments: [projectId, address]
    ) { _ in true } ?? false
  }
}

extension Transaction {
  /// The projects that have mail, the newest first; at most so many.
  package func projectsWithMail(limit: Int) throws(APIError) -> [String] {
    try all(
      "SELECT project FROM messages GROUP BY project ORDER BY max(id) DESC LIMIT ?",
      arguments: [limit]
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
      "SELECT \(Message.columns) FROM messages WHERE id > ? ORDER BY id LIMIT 10000",
      arguments: [id],
      read: Message.init(row:))
  }
}
