package import HearthErrors
package import HearthSQLite
package import HearthTime

extension AccountsSchema {
  /// Takes away what a project got after a time of its clock: accounts and codes. A code that was
  /// used later is unused again.
  package static func forget(
    after time: Timestamp, of project: String, in transaction: Transaction
  ) throws(APIError) {
    let arguments: Arguments = [project, time.milliseconds]
    try transaction.execute(
      """
      DELETE FROM users WHERE project = ?
        AND CAST(json_extract(record, '$.createdAt') AS INTEGER) > ?
      """, arguments: arguments)
    for table in ["imported_records", "provider_links"] {
      try transaction.execute(
        """
        DELETE FROM \(table) WHERE project = ?1 AND NOT EXISTS (
          SELECT 1 FROM users WHERE users.project = ?1 AND users.tenant = \(table).tenant
            AND users.local_id = \(table).local_id)
        """, arguments: [project])
    }
    try transaction.execute(
      "DELETE FROM oob_codes WHERE project = ? AND created_at > ?", arguments: arguments)
    try transaction.execute(
      "UPDATE oob_codes SET used_at = NULL WHERE project = ? AND used_at > ?", arguments: arguments)
  }
}
