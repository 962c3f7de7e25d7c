package import HearthErrors
package import HearthSQLite
package import HearthTime

extension Message {
  /// Takes away the messages that a project got after a time of its clock. One whose code was used
  /// later is unused again.
  package static func forget(
    after time: Timestamp, of project: String, in transaction: Transaction
  ) throws(APIError) {
    let arguments: Arguments = [project, time.milliseconds]
    let later = "SELECT id FROM messages WHERE project = ?1 AND created_at > ?2"
    for table in ["mail_recipients", "mails"] {
      try transaction.execute(
        "DELETE FROM \(table) WHERE project = ?1 AND message IN (\(later))", arguments: arguments)
    }
    try transaction.execute(
      "DELETE FROM messages WHERE project = ? AND created_at > ?", arguments: arguments)
    try transaction.execute(
      "UPDATE messages SET used_at = NULL WHERE project = ? AND used_at > ?", arguments: arguments)
  }
}
