import HearthObservation
import HearthOperations
import HearthTransport

/// The faults of a project, and how often each has acted.
enum ListFaults: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.json(context.faults.rules(of: request.project))
  }
}

extension ServerContext {
  /// The answer of an operation that has changed the faults, for those who watch too.
  func faultsChanged(of project: String) -> OutgoingReply {
    let rules = faults.rules(of: project)
    server.changes.publish([.event(project: project, name: "faults.changed", rules)])
    return ReplyWriter.json(rules)
  }
}
