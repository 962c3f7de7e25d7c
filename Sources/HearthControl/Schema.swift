import HearthAppCheck
package import HearthErrors
import HearthEvents
import HearthFirestore
import HearthIdentityProviders
import HearthIdentityToolkit
import HearthMailbox
import HearthObservation
import HearthOperations
import HearthPush
package import HearthSQLite
import HearthSharing
import HearthTokens
import HearthTriggerEmail

/// The tables of all rooms.
package enum Schema {
  /// No list needs a table of another one.
  package static let migrations =
    ProjectSettings.migrations + AccountsSchema.migrations + Message.migrations
    + DialectTransaction.migrations + Firestore.migrations + IssuedTokens.migrations
    + KeptWebhooks.migrations + FaultPresets.migrations + TriggerEmail.migrations
    + PushDevice.migrations
    + Personas.migrations
    + AppCheckSchema.migrations + SharedProject.migrations

  /// What snapshots hold. The request log and events are not in the store; webhooks, refused tokens
  /// and mails that are being sent are not a state of the project.
  package static let snapshotTables =
    ProjectSettings.snapshotTables + AccountsSchema.snapshotTables + Message.snapshotTables
    + DialectTransaction.snapshotTables + Firestore.snapshotTables
    + PushDevice.snapshotTables
    + Personas.snapshotTables
    + AppCheckSchema.snapshotTables

  /// All projects that anything is kept of, by name.
  package static func projectIds(in transaction: Transaction) throws(APIError) -> [String] {
    var projects = Set(try ProjectSettings.projectIds(in: transaction))
    projects.formUnion(try AccountsSchema.projectIds(in: transaction))
    projects.formUnion(try Message.projectIds(in: transaction))
    projects.formUnion(try PushDevice.projectIds(in: transaction))
    projects.formUnion(try AppCheckSchema.projectIds(in: transaction))
    projects.formUnion(try Firestore.projectIds(in: transaction))
    // As SQLite sorts them: by their bytes.
    return projects.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
