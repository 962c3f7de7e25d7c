import HearthErrors
import HearthEvents
import HearthFirestore
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSeeds
import HearthSharing
import HearthTime
import HearthTransport
import HearthWire

/// Deletes everything that a project holds: accounts, mails, documents, settings, snapshots, and its
/// state in memory. The next request that names the project creates it again, empty; on a shared
/// server the operator has to open it again.
enum DeleteProject: ServerOperation {
  static func run(
    _ request: ServerRequest, with projects: ProjectControl
  ) async throws -> OutgoingReply {
    try await projects.delete(request.project, for: request.visitor)
    return ReplyWriter.json([:])
  }
}

/// What becomes of projects as a whole.
package struct ProjectControl: ServerParts {
  let exports: Exports
  let observation: Observation
  let snapshots: ProjectSnapshots
  /// Nil without `--require-token`.
  let sharing: Sharing?

  var store: Store { exports.store }
  var server: ServerFacts { exports.server }

  package static func parts(of server: ServerContext) -> ProjectControl {
    ProjectControl(
      exports: server.exports, observation: server.observation,
      snapshots: server.projects.snapshots, sharing: server.projects.sharing)
  }

  /// Deletes what a project holds.
  func clear(_ project: String) async throws {
    try await exports.onFiles { try clearStore(of: project) }
    observation.faults.clear(project)
    server.clocks.reset(project)
    try observation.events.set([], of: project)
    observation.recorder.requests.forget(project)
    server.appCheck.report.pass(project)
    exports.firestore.removeRules(of: project)
    exports.firestore.removeIndexes(of: project)
    exports.firestore.removeDatabases(of: project)
    server.changes.publish([
      .event(project: project, name: "project.deleted", .members(["project": .string(project)]))
    ])
  }

  /// In one transaction: a server that is killed meanwhile has all of it, or nothing.
  private func clearStore(of project: String) throws(APIError) {
    let firestore = exports.firestore
    try store.transaction { transaction throws(APIError) in
      // First, or they would take over the documents.
      let deleted = try snapshots.deleteAll(of: project, in: transaction)
      let databases = try firestore.clear(allOf: project, in: transaction)
      for table in Schema.snapshotTables where table.hasProjectColumn {
        try transaction.execute("DELETE FROM \(table.name) WHERE project = ?", arguments: [project])
      }
      ProjectTransaction(transaction, projectId: project, tenantId: nil, server: server)
        .forgetSettings()
      try KeptWebhooks.write([], of: project, in: transaction)
      return (deleted, databases)
    } committed: { deleted, databases in
      snapshots.deleted(deleted, of: project)
      firestore.cleared(databases)
    }
    store.giveMemoryBack()
  }
}

extension SnapshotTable {
  /// Documents belong to collections, which `clear` has deleted.
  fileprivate var hasProjectColumn: Bool {
    if case .project = owner { true } else { false }
  }
}
