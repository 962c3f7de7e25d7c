import HearthErrors
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTransport
import HearthWire

/// All projects that anything is known of: the default one, then those that apps used last, then the
/// others by name.
enum ListProjects: ServerOperation {
  static func run(
    _ request: ServerRequest, with projects: ProjectControl
  ) async throws -> OutgoingReply {
    if let visitor = request.visitor { return try projects.listShared(to: visitor) }
    let stored = try projects.store.transaction { transaction throws(APIError) in
      try Schema.projectIds(in: transaction)
    }
    let active = projects.observation.recorder.requests.activity()
    let known = Set(stored)
    let defaultProject = projects.server.defaultProject
    var names = [defaultProject]
    // A project that was only looked at holds nothing.
    names += active.map(\.project).filter(known.contains)
    names += stored
    var seen: Set<String> = []
    names = names.filter { seen.insert($0).inserted }
    var times = JSONObject()
    for (project, time) in active where seen.contains(project) {
      times.append(project, value: .string(time.iso8601))
    }
    return ReplyWriter.json(
      .members([
        "projects": .strings(names), "defaultProject": .string(defaultProject),
        "lastActivity": .object(times),
      ]))
  }
}
