import HearthCrypto
import HearthErrors
import HearthSQLite
import HearthTriggers
import HearthWire

/// The webhooks of projects in the store, so that a restart with `--data` finds them.
/// `list` is the array of the endpoint that sets them, with their secrets, as JSON.
enum KeptWebhooks {
  static let migrations = [
    Migration(
      "webhooks",
      """
      CREATE TABLE webhooks (
        project TEXT PRIMARY KEY,
        list TEXT NOT NULL
      ) WITHOUT ROWID
      """)
  ]

  /// Writes a project's list in place of the earlier one.
  static func write(
    _ webhooks: [Webhook], of project: String, in transaction: Transaction
  ) throws(APIError) {
    guard !webhooks.isEmpty else {
      return try transaction.execute("DELETE FROM webhooks WHERE project = ?", [project])
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO webhooks (project, list) VALUES (?, ?)",
      [project, JSON.array(webhooks.map(\.json)).text])
  }

  /// Each project's list, or why it cannot be used: it may be on a host that is no longer allowed.
  static func read(
    in transaction: Transaction, allowing hosts: WebhookHosts
  ) throws(APIError) -> [(project: String, webhooks: Result<[Webhook], APIError>)] {
    let rows = try transaction.all("SELECT project, list FROM webhooks") { row in
      (project: row[0] as String, list: row[1] as String)
    }
    return rows.map { row in
      // What is no list is refused by the reader below.
      let list = (try? JSON.parse(row.list)) ?? .null
      return (
        row.project,
        Result { () throws(APIError) in
          try Webhook.list(JSONObject(["webhooks": list]), allowing: hosts, Randomness())
        }
      )
    }
  }
}
