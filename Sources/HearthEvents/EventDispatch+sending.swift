import HTTPTypes
package import HearthErrors
package import HearthObservation
package import HearthOperations
import HearthTime
import HearthTransport
import HearthTriggers
import HearthWire

extension EventDispatch {
  /// What the request log says of a delivery beside how it went.
  package struct Noted {
    let project: String
    let operation: String
    let resource: String?
    var replayOf: Int64?
  }

  /// How a delivery went.
  package struct Outcome {
    /// Nil as long as nobody has answered.
    package var status: Int?
    package var problem: (error: ErrorCode, status: Int, reason: String)?
    /// The number in the request log.
    package var id: Int64 = 0
  }

  /// A query may hold a secret of the receiver, which has no place in a log.
  static func loggedAddress(_ url: String) -> Substring { url.prefix { $0 != "?" } }

  /// Sends a request once, and notes payload and answer in the request log.
  package func send(
    _ request: FunctionRequest, within time: Duration, noting noted: Noted
  ) async -> Outcome {
    let start = ContinuousClock.now
    var outcome = Outcome()
    var answer: [UInt8] = []
    do throws(FunctionFailure) {
      let reply = try await caller.send(request, within: time)
      answer = reply.body
      outcome.status = reply.status
      if !reply.isSuccess {
        let reason = String(decoding: reply.body.prefix(300), as: UTF8.self)
        outcome.problem = (.unknown, reply.status, reason)
      }
    } catch {
      outcome.problem = Self.problem(error, after: time)
    }
    var call = AnsweredCall(
      project: noted.project, method: request.method, path: Self.loggedAddress(request.url),
      operation: noted.operation, resource: noted.resource,
      status: outcome.problem?.status ?? outcome.status ?? 200,
      duration: ContinuousClock.now - start, error: outcome.problem?.error,
      headers: Self.loggedHeaders(request), body: request.body)
    call.reason = outcome.problem?.reason
    call.response = answer
    call.replayOf = noted.replayOf
    outcome.id = recorder.note(call)
    return outcome
  }

  /// Signatures are for one time only.
  private static func loggedHeaders(_ request: FunctionRequest) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in request.headers where name != "webhook-signature" {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return fields
  }

  private static func problem(
    _ failure: FunctionFailure, after time: Duration
  ) -> (error: ErrorCode, status: Int, reason: String) {
    switch failure {
    case .timedOut:
      (.deadlineExceeded, 504, "no answer within \(time.components.seconds) seconds")
    case .unreachable(let reason): (.unavailable, 503, reason)
    case .refused(let refusal): (.unavailable, 503, "it \(refusal)")
    }
  }

  /// Sends a delivery of the log to its receiver again, with a new signature. It has no further tries.
  package func sendAgain(_ entry: RequestLog.Entry) async throws(APIError) -> Outcome {
    let call = entry.call
    let noted = Noted(
      project: call.project, operation: call.operation, resource: call.resource, replayOf: entry.id)
    let headers = call.headers.map { (name: $0.name.rawName, value: $0.value) }
    guard call.operation == "webhooks.send" else {
      let request = FunctionRequest(
        call.method, url: String(call.path), headers: headers, body: call.body)
      return await send(request, within: EventLimits.functionTime, noting: noted)
    }
    let used = webhooks(of: call.project).first { Self.loggedAddress($0.webhook.url) == call.path }
    guard let webhook = used?.webhook else {
      throw APIError(
        .failedPrecondition, detail: "the project has no webhook of this address any more")
    }
    let id = headers.first { $0.name.lowercased() == "webhook-id" }?.value ?? ""
    return await send(
      webhook.request(id: id, body: call.body, at: server.clock.now),
      within: EventLimits.webhookTime, noting: noted)
  }
}

extension AnsweredCall {
  /// Whether Hearth made it, to a function or a webhook.
  package var isDelivery: Bool {
    ["functions.trigger", "functions.userEvent", "webhooks.send"].contains(operation)
  }
}
