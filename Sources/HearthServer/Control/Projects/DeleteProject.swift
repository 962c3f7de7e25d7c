import HearthErrors
import HearthFirestore
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire

/// Deletes everything that a project holds: accounts, mails, documents, settings, snapshots, and its
/// state in memory. The next request that names the project creates it again, empty.
enum DeleteProject: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let project = request.project
    try await context.exports.onFiles { try await delete(project, context) }
    context.faults.clear(project)
    context.server.clocks.reset(project)
    try context.events.set([], of: project)
    context.recorder.requests.forget(project)
    context.exports.firestore.removeRules(of: project)
    context.exports.firestore.removeIndexes(of: project)
    context.exports.firestore.removeDatabases(of: project)
    context.server.changes.publish([
      .event(project: project, name: "project.deleted", .members(["project": .string(project)]))
    ])
    return ReplyWriter.json([:])
  }

  private static func delete(_ project: String, _ context: ServerContext) async throws(APIError) {
    for name in try context.snapshots.names(project) {
      try context.snapshots.delete(name, of: project)
    }
    let firestore = context.exports.firestore
    for database in try firestore.databaseCounts(of: project) {
      try await firestore.clear(DatabaseName(project: project, database: database.id))
    }
    try context.store.transaction { transaction throws(APIError) in
      for table in Schema.snapshotTables where table.hasProjectColumn {
        try transaction.execute("DELETE FROM \(table.name) WHERE project = ?", [project])
      }
      ProjectTransaction(transaction, projectId: project, tenantId: nil, server: context.server)
        .forgetSettings()
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
