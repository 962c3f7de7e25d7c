package import HearthErrors
package import HearthSQLite
package import HearthTokens

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is known of tokens after a restart.
extension IssuedTokens {
  /// The hashes of refused tokens, eight bytes each, the oldest first.
  package static let migrations = [
    Migration(
      "tokens that restores took back",
      sql: """
        CREATE TABLE revoked_tokens (
          project TEXT PRIMARY KEY,
          hashes BLOB NOT NULL
        ) WITHOUT ROWID
        """)
  ]

  /// Reads what an earlier run has kept.
  package func load(_ transaction: Transaction) throws(APIError) {
    load(
      try transaction.all("SELECT project, hashes FROM revoked_tokens") { row in
        (project: row[0] as String, bytes: Array(row[1] as Data))
      })
  }

  package func keep(
    _ revoked: Revoked, of project: String, in transaction: Transaction
  ) throws(APIError) {
    try Self.keep(revoked.bytes, of: project, in: transaction)
  }

  /// As it is now.
  package func keepRevoked(of project: String, in transaction: Transaction) throws(APIError) {
    try Self.keep(revokedBytes(of: project), of: project, in: transaction)
  }

  private static func keep(
    _ hashes: [UInt8], of project: String, in transaction: Transaction
  ) throws(APIError) {
    guard !hashes.isEmpty else {
      return try transaction.execute(
        "DELETE FROM revoked_tokens WHERE project = ?", arguments: [project])
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO revoked_tokens (project, hashes) VALUES (?, ?)",
      arguments: [project, Data(hashes)])
  }
}
