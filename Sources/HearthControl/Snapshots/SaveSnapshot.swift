import HearthErrors
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// Makes a snapshot of a project: `{"name": "seeded"}`, and `"replace": true` to replace one of that
/// name.
enum SaveSnapshot: ServerOperation {
  struct Request: ServerOperationRequest {
    let project: String
    let name: String
    let isReplacing: Bool

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("name", "replace")
      project = request.project
      name = try ProjectSnapshots.checkName(request.wire.string("name"))
      isReplacing = try request.flag("replace")
    }
  }

  static func run(
    _ request: Request, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let snapshots = control.snapshots
    let state = try await control.server.files.run { () throws(APIError) in
      try snapshots.save(
        request.name, of: request.project, replacing: request.isReplacing)
    }
    control.tellOfSnapshots(of: request.project)
    return ReplyWriter.json(state)
  }
}

/// What endpoints of snapshots work with.
struct SnapshotControl: ServerParts {
  let snapshots: ProjectSnapshots
  let server: ServerFacts
  let log: RequestLog

  static func parts(of server: ServerContext) -> SnapshotControl {
    SnapshotControl(
      snapshots: server.projects.snapshots, server: server.server,
      log: server.observation.recorder.requests)
  }

  /// Lets those who watch know that a project has other snapshots.
  func tellOfSnapshots(of project: String) {
    server.changes.publish([.event(project: project, name: "snapshots.changed", [:])])
  }
}

extension ServerRequest {
  /// Refuses members that the operation does not know.
  func checkMembers(_ known: String...) throws(APIError) {
    for name in wire.body.keys where !known.contains(name) {
      throw APIError(.invalidArgument, detail: "unknown member '\(name)'")
    }
  }

  /// A boolean that may be left out.
  func flag(_ name: String) throws(APIError) -> Bool {
    guard let value = wire.body[name] else { return false }
    guard let flag = value.bool else {
      throw APIError(.invalidArgument, detail: "/\(name) must be boolean")
    }
    return flag
  }

  /// The name of a snapshot in the path.
  var snapshot: String { wire.path["snapshot"] ?? "" }
}
