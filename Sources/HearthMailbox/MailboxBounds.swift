import HearthErrors
import HearthOperations
import HearthSQLite

/// A mailbox has bounds: a number of messages, and the bytes of those that are large or that apps sent.
/// The oldest go first.
extension Mailbox {
  private static var capacity: Int { 10_000 }
  /// How many messages lie between two looks at the number.
  private static var pruneInterval: Int64 { 256 }
  /// How many lie between two looks at the bytes, where mails are small.
  private static var weighInterval: Int64 { 16 }
  private static var smallMail: Int { 64 << 10 }
  /// Mails of Auth up to this size are bounded by their number alone.
  private static var usualMail: Int { 16 << 10 }

  /// Notes the bytes of a large message of Auth or of a dialect.
  ///
  /// - Returns: the bytes that count for the bound.
  func weigh(_ message: Message, id: Int64) throws(APIError) -> Int {
    let size = message.text.utf8.count + message.html.utf8.count
    let bytes = size + (message.link?.utf8.count ?? 0)
    guard bytes > Self.usualMail else { return 0 }
    try transaction.execute(
      """
      INSERT INTO mails (message, project, bytes, size, details, is_packed, raw)
      VALUES (?, ?, ?, ?, '', 0, x'')
      """,
      arguments: [id, projectId, bytes, size])
    return bytes
  }

  /// Tells those who wait for a message that it is there, and keeps the bounds.
  func announce(_ id: Int64, bytes: Int = 0) throws(APIError) {
    if id % Self.pruneInterval == 0 { try pruneMessages(through: id) }
    if bytes > Self.smallMail || bytes > 0 && id % Self.weighInterval == 0 {
      try pruneBytes(newest: id)
    }
    project.outbox.changes.append(.messageCaptured(project: projectId, id: id))
  }

  /// Message numbers are shared by all projects, so each look is at every project that has had
  /// mail since the last one. SQLite left to itself would read a whole index to find those.
  private func pruneMessages(through id: Int64) throws(APIError) {
    let projects = try transaction.all(
      "SELECT DISTINCT project FROM messages NOT INDEXED WHERE id > ?",
      arguments: [id - Self.pruneInterval]
    ) { $0[0] as String }
    for project in projects {
      let last = try transaction.first(
        "SELECT id FROM messages WHERE project = ? ORDER BY id DESC LIMIT 1 OFFSET ?",
        arguments: [project, Self.capacity]
      ) { $0[0] as Int64 }
      guard let last else { continue }
      try transaction.execute(
        "DELETE FROM messages WHERE project = ? AND id <= ?", arguments: [project, last])
      try deleteParts(of: project)
    }
  }

  private func pruneBytes(newest: Int64) throws(APIError) {
    var excess =
      try transaction.first(
        "SELECT total(bytes) FROM mails WHERE project = ?", arguments: [projectId]
      ) {
        $0[0] as Int
      } ?? 0
    excess -= server.mailboxBytes
    guard excess > 0 else { return }
    var last: Int64 = 0
    try transaction.scan(
      "SELECT message, bytes FROM mails WHERE project = ? AND message < ? ORDER BY message",
      arguments: [projectId, newest]
    ) { row in
      last = row[0]
      excess -= row[1]
      return excess > 0
    }
    try transaction.execute(
      """
      DELETE FROM messages WHERE project = ?1
        AND id IN (SELECT message FROM mails WHERE project = ?1 AND message <= ?2)
      """,
      arguments: [projectId, last])
    try deleteParts(of: projectId)
  }

  private static var partTables: [String] { ["mails", "mail_recipients"] }

  /// Deletes what is kept of mails whose messages are gone.
  func deleteParts(of project: String) throws(APIError) {
    for table in Self.partTables {
      try transaction.execute(
        """
        DELETE FROM \(table) WHERE project = ?
          AND NOT EXISTS (SELECT 1 FROM messages WHERE id = message)
        """,
        arguments: [project])
    }
  }

  /// The same for one message.
  func deleteParts(of message: Int64) throws(APIError) {
    for table in Self.partTables {
      try transaction.execute("DELETE FROM \(table) WHERE message = ?", arguments: [message])
    }
  }
}
