import HearthErrors
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
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let filter = try RequestFilter(request.wire.query)
    let entries: [RequestLog.Entry]
    if let wait = try request.wire.wait() {
      entries = try await RequestWait(filter, project: request.project, context: context).entries(
        within: wait.duration)
    } else {
      entries = filter.entries(of: context.recorder.requests, request.project)
    }
    return ReplyWriter.json(
      .members(["requests": .array(entries.map { $0.json(isWhole: false) })]))
  }
}

/// One call of the log, with all that is known of it.
enum GetRequest: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    ReplyWriter.json(try context.loggedCall(request).json(isWhole: true))
  }
}

extension ServerContext {
  /// The call that the path names.
  func loggedCall(_ request: ServerRequest) throws(APIError) -> RequestLog.Entry {
    let id = request.wire.path["requestId"] ?? ""
    guard let number = Int64(id), let entry = recorder.requests.entry(number, of: request.project)
    else { throw APIError(.notFound, detail: "the request log has no request \(id)") }
    return entry
  }
}
