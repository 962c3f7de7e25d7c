import HTTPTypes
import HearthErrors
import HearthEvents
import HearthObservation
import HearthOperations
import HearthTransport
import HearthWire

/// Makes a call of the log again, with the credential that it had.
enum ReplayRequest: ServerOperation {
  static func run(
    _ request: ServerRequest, with control: RequestControl
  ) async throws -> OutgoingReply {
    let entry = try control.loggedCall(request)
    guard entry.call.isRepeatable else {
      throw APIError(
        .failedPrecondition, detail: "calls over gRPC and WebChannel cannot be replayed")
    }
    guard entry.canReplay else {
      throw APIError(.failedPrecondition, detail: "the body was too long to be kept")
    }
    if entry.call.isDelivery {
      let outcome = try await control.events.sendAgain(entry)
      return answer(
        status: outcome.problem?.status ?? outcome.status ?? 200, id: outcome.id, of: entry,
        response: control.log.entry(outcome.id, of: request.project)?.call.response)
    }
    var headers = entry.call.headers
    // The body is kept as it was read.
    for name in [HTTPField.Name.contentEncoding, .contentLength, .transferEncoding] {
      headers[name] = nil
    }
    // A shared server keeps no tokens of projects: the call gets that of who replays it.
    if request.visitor != nil, case .owner? = entry.call.caller {
      // What somebody else's token could not do is not to be done with this one.
      guard ![401, 403].contains(entry.call.status) else {
        throw APIError(
          .failedPrecondition, detail: "a call that was refused for its token cannot be replayed")
      }
      headers[.authorization] = request.call.authorization
    }
    let query = entry.call.query
    var call = IncomingCall(
      method: entry.call.method,
      target: query.isEmpty ? String(entry.call.path) : "\(entry.call.path)?\(query)",
      headers: headers, host: request.call.host, body: entry.call.body,
      remoteAddress: request.call.remoteAddress, servedPort: request.call.servedPort)
    call.replayOf = entry.id
    let reply = await request.respond(call)
    let made = control.log.entries(of: request.project)
      .last { $0.call.replayOf == entry.id }
    return answer(
      status: reply.status, id: made?.id, of: entry,
      response: reply.stream == nil ? reply.body : nil)
  }

  private static func answer(
    status: Int, id: Int64?, of entry: RequestLog.Entry, response: [UInt8]?
  ) -> OutgoingReply {
    ReplyWriter.json(
      .members([
        "status": .int(Int64(status)), "id": id.map(JSON.int), "replayOf": .int(entry.id),
        "response": response.flatMap { try? JSON.parse($0) }.map(Redaction.json),
      ]))
  }
}
