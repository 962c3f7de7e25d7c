import HearthErrors
import HearthEvents
import HearthOperations
import HearthTransport
import HearthTriggers
import HearthWire

/// A functions emulator says which function of the first generation is to run when documents change.
enum RegisterTrigger: ServerOperation {
  static func run(
    _ request: ServerRequest, with events: EventDispatch
  ) async throws -> OutgoingReply {
    let key = try TriggerKey.check(request.wire.path["triggerId"])
    let trigger = try DocumentTrigger(
      firstGeneration: request.wire.body["eventTrigger"] ?? .null, key: key,
      project: request.project)
    try events.register(trigger, of: request.project)
    return ReplyWriter.json([:])
  }
}

/// The same for a function of the second generation.
enum RegisterEventarcTrigger: ServerOperation {
  static func run(
    _ request: ServerRequest, with events: EventDispatch
  ) async throws -> OutgoingReply {
    let key = try TriggerKey.check(request.wire.query["eventarcTriggerId"])
    let body = JSON.object(request.wire.body)
    let trigger = try DocumentTrigger(secondGeneration: body, key: key)
    try events.register(trigger, of: request.project)
    return ReplyWriter.json(body)
  }
}

enum TriggerKey {
  private static let longest = 1024

  static func check(_ key: String?) throws(APIError) -> String {
    guard let key, !key.isEmpty, key.utf8.count <= longest else {
      throw APIError(.invalidArgument, detail: "a trigger has a name of 1 to \(longest) bytes")
    }
    return key
  }
}

/// The triggers that a project has, whether they were registered or the functions emulator was asked.
enum ListTriggers: ServerOperation {
  static func run(
    _ request: ServerRequest, with events: EventDispatch
  ) async throws -> OutgoingReply {
    let triggers = await events.functionTriggers(of: request.project)
    return ReplyWriter.json(.members(["triggers": .array(triggers.map(\.json))]))
  }
}
