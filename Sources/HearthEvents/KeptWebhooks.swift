import HearthCrypto
package import HearthErrors
package import HearthOperations
package import HearthSQLite
package import HearthTriggers
import HearthWire

/// The webhooks of projects in the store, so that a restart with `--data` finds them.
/// `list` is the array of the endpoint that sets them, with their secrets, as JSON.
package enum KeptWebhooks {
  package static let migrations = [
    Migration(
      "webhooks",
      sql: """
        CREATE TABLE webhooks (
          project TEXT PRIMARY KEY,
          list TEXT NOT NULL
        ) WITHOUT ROWID
        """)
  ]

  /// Writes a project's list in place of the earlier one.
  package static func write(
    _ webhooks: [Webhook], of project: String, in transaction: Transaction
  ) throws(APIError) {
    guard !webhooks.isEmpty else {
      return try transaction.execute("DELETE FROM webhooks WHERE project = ?", arguments: [project])
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO webhooks (project, list) VALUES (?, ?)",
      arguments: [project, JSON.array(webhooks.map(\.json)).text])
  }

  /// What a project has kept.
  package struct Kept {
    package let project: String
    package let webhooks: [Webhook]
    /// Why webhooks were left out, for example because their host is no longer allowed.
    package let faults: [APIError]
  }

  /// Each project's webhooks. One that cannot be used does not take the others with it.
  package static func read(
    in transaction: Transaction, allowing hosts: OutgoingHosts
  ) throws(APIError) -> [Kept] {
    let rows = try transaction.all("SELECT project, list FROM webhooks") { row in
      (project: row[0] as String, list: row[1] as String)
    }
    return rows.map { row in
      guard let entries = (try? JSON.parse(row.list))?.array else {
        let fault = APIError(.invalidArgument, detail: "they are not a list")
        return Kept(project: row.project, webhooks: [], faults: [fault])
      }
      var webhooks: [Webhook] = []
      var faults: [APIError] = []
      for entry in Webhook.each(of: entries, allowing: hosts, Randomness()) {
        switch entry {
        case .success(let webhook): webhooks.append(webhook)
        case .failure(let fault): faults.append(fault)
        }
      }
      return Kept(project: row.project, webhooks: webhooks, faults: faults)
    }
  }
}
