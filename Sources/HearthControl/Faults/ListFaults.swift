import HearthObservation
import HearthOperations
import HearthSQLite
import HearthTransport

/// The faults of a project, and how often each has acted.
enum ListFaults: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: FaultControl
  ) async throws -> OutgoingReply {
    ReplyWriter.json(control.faults.rules(of: request.project))
  }
}

/// What endpoints of faults work with.
struct FaultControl: ServerParts {
  let faults: Faults
  let store: Store
  let changes: Changes

  static func parts(of server: ServerContext) -> FaultControl {
    FaultControl(
      faults: server.observation.faults, store: server.store, changes: server.server.changes)
  }

  var presets: FaultPresets { FaultPresets(store: store, targets: faults.targets) }

  /// The answer of an operation that has changed the faults, for those who watch too.
  func changed(of project: String) -> OutgoingReply {
    let rules = faults.rules(of: project)
    changes.publish([.event(project: project, name: "faults.changed", rules)])
    return ReplyWriter.json(rules)
  }
}
