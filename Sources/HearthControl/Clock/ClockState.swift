import HearthFirestore
import HearthOperations
import HearthSQLite
import HearthSeeds
import HearthTime
import HearthTransport
import HearthWire

/// What endpoints of clocks work with.
struct ClockControl: ServerParts {
  let server: ServerFacts
  let store: Store
  let firestore: Firestore

  static func parts(of server: ServerContext) -> ClockControl {
    ClockControl(
      server: server.server, store: server.store, firestore: server.exports.firestore)
  }

  /// What has expired is gone when the answer comes.
  func expire(_ project: String) async throws {
    try await firestore.timeToLive.expire(project, firestore: firestore)
  }
}

/// The clock of a project, as the endpoints show it.
enum ClockState {
  static func json(of project: String, _ server: ServerFacts) -> JSON {
    let setting = server.clocks.setting(of: project)
    return .members([
      "now": .string(server.clocks.now(of: project).iso8601),
      "offset": .string(ISODuration.text(milliseconds: setting.offset)),
      "frozen": .bool(setting.stopped != nil),
    ])
  }

  /// The answer of an operation that has changed the clock, for those who watch too.
  static func changed(_ project: String, server: ServerFacts) -> OutgoingReply {
    let state = json(of: project, server)
    server.changes.publish([.event(project: project, name: "clock.changed", state)])
    return ReplyWriter.json(state)
  }
}
