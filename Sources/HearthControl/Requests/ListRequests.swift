import HearthErrors
import HearthEvents
import HearthObservation
import HearthOperations
import HearthTime
import HearthTransport
import HearthWire

/// The request log of a project. What the console itself asked is shown with `all=true` only.
///
/// With `wait` the answer comes as soon as a call matches; when the time is over, the list is empty.
enum ListRequests: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: RequestControl
  ) async throws -> OutgoingReply {
    let filter = try RequestFilter(request.wire.query)
    let entries: [RequestLog.Entry]
    if let wait = try request.wire.wait() {
      entries = try await RequestWait(filter, project: request.project, control: control).entries(
        within: wait.duration)
    } else {
      entries = filter.entries(of: control.log, request.project)
    }
    return ReplyWriter.json(
      .members(["requests": .array(entries.map { $0.json(isWhole: false) })]))
  }
}

/// One call of the log, with all that is known of it.
enum GetRequest: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: RequestControl
  ) async throws -> OutgoingReply {
    ReplyWriter.json(try control.loggedCall(request).json(isWhole: true))
  }
}

/// What endpoints of the request log work with.
struct RequestControl: ServerParts {
  let log: RequestLog
  let server: ServerFacts
  let hosts: Hosts
  let events: EventDispatch

  static func parts(of server: ServerContext) -> RequestControl {
    RequestControl(
      log: server.observation.recorder.requests, server: server.server,
      hosts: server.network.hosts, events: server.observation.events)
  }

  /// The call that the path names.
  func loggedCall(_ request: ServerRequest) throws(APIError) -> RequestLog.Entry {
    let id = request.wire.path["requestId"] ?? ""
    guard let number = Int64(id), let entry = log.entry(number, of: request.project)
    else { throw APIError(.notFound, detail: "the request log has no request \(id)") }
    return entry
  }
}
