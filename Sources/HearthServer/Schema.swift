package import HearthErrors
import HearthFirestore
import HearthIdentityToolkit
import HearthMailbox
import HearthOperations
package import HearthSQLite

/// The tables of all rooms.
package enum Schema {
  /// No list needs a table of another one.
  package static let migrations =
    ProjectSettings.migrations + AccountsSchema.migrations + Message.migrations
    + DialectTransaction.migrations + Firestore.migrations + IssuedTokens.migrations
    + KeptWebhooks.migrations + FaultPresets.migrations

  /// What snapshots hold. The request log and events are not in the store; webhooks and refused tokens
  /// are not a state of the project.
  package static let snapshotTables =
    ProjectSettings.snapshotTables + AccountsSchema.snapshotTables + Message.snapshotTables
    + DialectTransaction.snapshotTables + Firestore.snapshotTables

  /// All projects that anything is kept of, by name.
  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    var projects = Set(try ProjectSettings.projectIds(in: transaction))
    projects.formUnion(try AccountsSchema.projectIds(in: transaction))
    projects.formUnion(try Message.projectIds(in: transaction))
    projects.formUnion(try Firestore.projectIds(in: transaction))
    // As SQLite sorts them: by their bytes.
    return projects.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
