import HearthErrors
import HearthEvents
import HearthFirestore
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSeeds
import HearthTime
import HearthTransport
import HearthWire

/// Deletes everything that a project holds: accounts, mails, documents, settings, snapshots, and its
/// state in memory. The next request that names the project creates it again, empty; on a shared
/// server the operator has to open it again.
enum DeleteProject: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try await context.delete(request.project, for: request.visitor)
    return ReplyWriter.json([:])
  }

  /// Deletes what the project holds.
  static func clear(_ project: String, context: ServerContext) async throws {
    try await context.exports.onFiles { try delete(project, context: context) }
    context.faults.clear(project)
    context.server.clocks.reset(project)
    try context.events.set([], of: project)
    context.recorder.requests.forget(project)
    context.server.appCheck.report.pass(project)
    context.exports.firestore.removeRules(of: project)
    context.exports.firestore.removeIndexes(of: project)
    context.exports.firestore.removeDatabases(of: project)
    context.server.changes.publish([
      .event(project: project, name: "project.deleted", .members(["project": .string(project)]))
    ])
  }

  /// In one transaction: a server that is killed meanwhile has all of it, or nothing.
  private static func delete(_ project: String, context: ServerContext) throws(APIError) {
    let firestore = context.exports.firestore
    try context.store.transaction { transaction throws(APIError) in
      // First, or they would take over the documents.
      let snapshots = try context.snapshots.deleteAll(of: project, in: transaction)
      let databases = try firestore.clear(allOf: project, in: transaction)
      for table in Schema.snapshotTables where table.hasProjectColumn {
        try transaction.execute("DELETE FROM \(table.name) WHERE project = ?", arguments: [project])
      }
      ProjectTransaction(transaction, projectId: project, tenantId: nil, server: context.server)
        .forgetSettings()
      try KeptWebhooks.write([], of: project, in: transaction)
      return (snapshots, databases)
    } committed: { snapshots, databases in
      context.snapshots.deleted(snapshots, of: project)
      firestore.cleared(databases)
    }
    context.store.giveMemoryBack()
  }
}

extension SnapshotTable {
  /// Documents belong to collections, which `clear` has deleted.
  fileprivate var hasProjectColumn: Bool {
    if case .project = owner { true } else { false }
  }
}
