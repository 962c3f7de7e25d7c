import HearthErrors
import HearthFirestore
import HearthFirestoreProtos
import HearthSQLite

/// A document that has to be looked at, because it may have to be sent.
///
/// The commit that writes the document writes this, too. It is gone when the document has been sent
/// or has failed: the commit that says so in the document removes it. The number is that of the
/// latest such write, and no number is given twice.
struct MailJob: Sendable {
  static let migration = Migration(
    "trigger email jobs",
    sql: """
      CREATE TABLE trigger_email_jobs (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE
      )
      """)

  let number: Int64
  let path: ResourcePath

  /// Whether something is to be done about the document: it has no state yet, or one that is not
  /// final.
  static func isWanted(_ document: StoredDocument) -> Bool {
    let fields = document.message.fields
    let delivery = fields.first { $0.key == "delivery" }?.value.mapValue.fields
    guard let delivery, !delivery.isEmpty else { return true }
    let state = delivery.first { $0.key == "state" }?.value.stringValue
    return ["PENDING", "RETRY", "PROCESSING"].contains(state)
  }

  static func note(_ path: ResourcePath, in transaction: Transaction) throws(APIError) {
    try transaction.execute(
      "INSERT OR REPLACE INTO trigger_email_jobs (path) VALUES (?)", arguments: [path.text])
  }

  /// Unless the document was written after that.
  static func remove(
    _ path: ResourcePath, upTo number: Int64 = .max, in transaction: Transaction
  ) throws(APIError) {
    try transaction.execute(
      "DELETE FROM trigger_email_jobs WHERE path = ? AND number <= ?",
      arguments: [path.text, number])
  }

  /// In the order of the writes.
  static func next(
    after number: Int64, limit: Int, in transaction: Transaction
  ) throws(APIError) -> [MailJob] {
    try transaction.all(
      "SELECT number, path FROM trigger_email_jobs WHERE number > ? ORDER BY number LIMIT ?",
      arguments: [number, limit]
    ) { row in MailJob(number: row[0], path: try ResourcePath(row[1] as String)) }
  }

  static func paths(in transaction: Transaction) throws(APIError) -> [ResourcePath] {
    try transaction.all("SELECT path FROM trigger_email_jobs") { row in
      try ResourcePath(row[0] as String)
    }
  }

  static func count(in transaction: Transaction) throws(APIError) -> Int {
    try transaction.first("SELECT count(*) FROM trigger_email_jobs") { row in row[0] } ?? 0
  }
}
