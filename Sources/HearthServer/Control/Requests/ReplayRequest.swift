import HTTPTypes
import HearthErrors
import HearthOperations
import HearthWire

/// Makes a call of the log again, with the credential that it had.
enum ReplayRequest: ServerOperation {
  static func run(
    _ request: ServerRequest, in context: ServerContext
  ) async throws -> OutgoingReply {
    let entry = try context.loggedCall(request)
    guard entry.call.isRepeatable else {
      throw APIError(.failedPrecondition, "calls over gRPC and WebChannel cannot be made again")
    }
    guard entry.canReplay else {
      throw APIError(.failedPrecondition, "the body was too long to be kept")
    }
    var headers = entry.call.headers
    // The body is kept as it was read.
    for name in [HTTPField.Name.contentEncoding, .contentLength, .transferEncoding] {
      headers[name] = nil
    }
    let query = entry.call.query
    var call = IncomingCall(
      method: entry.call.method,
      target: query.isEmpty ? String(entry.call.path) : "\(entry.call.path)?\(query)",
      headers: headers, host: request.call.host, body: entry.call.body,
      remoteAddress: request.call.remoteAddress, servedPort: request.call.servedPort)
    call.replayOf = entry.id
    let reply = await request.respond(call)
    let made = context.recorder.requests.entries(of: request.project)
      .last { $0.call.replayOf == entry.id }
    return ReplyWriter.json(
      .members([
        "status": .int(Int64(reply.status)), "id": (made?.id).map(JSON.int),
        "replayOf": .int(entry.id),
        "response": reply.stream == nil ? (try? JSON.parse(reply.body)).map(Redaction.json) : nil,
      ]))
  }
}
