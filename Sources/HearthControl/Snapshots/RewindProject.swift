import HearthErrors
import HearthObservation
import HearthOperations
import HearthTime
import HearthTransport
import HearthWire

/// Makes a project as another one was after a request, or at a time: `{"request": 42}`, and
/// `"to": "demo-x"` for its name.
enum RewindProject: ServerOperation {
  struct Request: ServerOperationRequest {
    let project: String
    /// Nil for a name of ours.
    let newProject: String?
    /// The number of a request; otherwise there is a time.
    let request: String?
    let time: String?

    init(_ request: ServerRequest) throws(APIError) {
      try request.checkMembers("to", "request", "time")
      let to = request.wire.body["to"]
      guard to.map({ $0.string.map(ProjectID.isUsable) == true }) ?? true else {
        throw APIError(.invalidArgument, detail: "/to must be the id of a project, such as demo-x")
      }
      (project, newProject) = (request.project, to?.string)
      self.request = request.wire.body["request"]?.integer.map(String.init)
      time = request.wire.string("time")
    }
  }

  static func run(
    _ request: Request, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let moment = try control.moment(
      request: request.request, time: request.time, of: request.project)
    let snapshots = control.snapshots
    let made = try await control.server.files.run { () throws(APIError) in
      try snapshots.rewind(request.project, to: request.newProject, moment: moment)
    }
    return ReplyWriter.json(
      .members([
        "project": .string(made.project), "time": .string(moment.time.iso8601),
        "snapshot": made.base.json, "notRebuilt": .array(made.base.notRebuilt),
      ]))
  }
}

/// Which requests of the log a project can go back to; with `request` or `time` what would differ.
enum GetRewind: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: SnapshotControl
  ) async throws -> OutgoingReply {
    let query = request.wire.query
    let (id, time) = (query["request"], query["time"])
    guard id == nil, time == nil else {
      let moment = try control.moment(request: id, time: time, of: request.project)
      let base = try control.snapshots.base(of: moment, project: request.project)
      return ReplyWriter.json(
        .members([
          "time": .string(moment.time.iso8601), "snapshot": base.json,
          "notRebuilt": .array(base.notRebuilt),
        ]))
    }
    let entries = control.log.entries(of: request.project)
    let found = try control.snapshots.canRebuild(PastMoment.all(entries), of: request.project)
    return ReplyWriter.json(.members(["requests": .array(ranges(entries, found))]))
  }

  /// From the first to the last request of each row of those that can be rebuilt.
  private static func ranges(_ entries: [RequestLog.Entry], _ found: [Bool]) -> [JSON] {
    var ranges: [(first: Int64, last: Int64)] = []
    var isOpen = false
    for (entry, isFound) in zip(entries, found) {
      if isFound, isOpen, let range = ranges.popLast() {
        ranges.append((range.first, entry.id))
      } else if isFound {
        ranges.append((entry.id, entry.id))
      }
      isOpen = isFound
    }
    return ranges.map { .members(["first": .int($0.first), "last": .int($0.last)]) }
  }
}
