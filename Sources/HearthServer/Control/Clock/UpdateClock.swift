import HearthErrors
import HearthFirestore
import HearthOperations
import HearthTime
import HearthTransport
import HearthWire

/// Advances, sets, stops or starts the clock of a project.
enum UpdateClock: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    try update(context.server.clocks, of: request.project, body: request.wire.body)
    // What has expired is gone when the answer comes.
    let firestore = context.exports.firestore
    try await firestore.timeToLive.expire(request.project, firestore: firestore)
    return ClockState.changed(request.project, server: context.server)
  }

  static func update(
    _ clocks: ProjectClocks, of project: String, body: JSONObject
  ) throws(APIError) {
    for name in body.members.map(\.key) where !["advance", "now", "frozen"].contains(name) {
      throw APIError(.invalidArgument, detail: "unknown member '\(name)'")
    }
    var steps: [() -> Void] = []
    if let value = body["frozen"] {
      guard let isFrozen = value.bool else {
        throw APIError(.invalidArgument, detail: "/frozen must be true or false")
      }
      steps.append { clocks.setStopped(project, isStopped: isFrozen) }
    }
    if let value = body["now"] {
      guard let time = value.string.flatMap(Timestamp.init(iso8601:)) else {
        throw APIError(.invalidArgument, detail: "/now must be a time such as 2027-01-31T09:30:00Z")
      }
      steps.append { clocks.set(project, to: time) }
    }
    if let value = body["advance"] {
      guard let duration = value.string.flatMap(Duration.init(written:)) else {
        throw APIError(
          .invalidArgument, detail: "/advance must be a duration such as 2h, 1d or PT2H")
      }
      steps.append { clocks.advance(project, by: duration) }
    }
    // All or nothing.
    let before = clocks.setting(of: project)
    for step in steps { step() }
    guard years.contains(clocks.now(of: project).seconds) else {
      clocks.restore(before, of: project)
      throw APIError(
        .invalidArgument,
        detail: "\(body["advance"] == nil ? "/now" : "/advance") leaves the years 1 to 9998")
    }
  }

  /// The years that timestamps on the wire can tell, but for the last one: a clock that runs must
  /// not come to their end.
  private static let years: ClosedRange<Int64> = -62_135_596_800...253_370_764_799
}
