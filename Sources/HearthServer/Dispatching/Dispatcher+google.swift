import HearthGoogle
import HearthMailIn
import HearthOperations
import HearthTransport

extension Dispatcher {
  /// Answers a request that was sent to Google.
  func respond(asGoogle call: IncomingCall, _ google: GoogleGateway) async -> OutgoingReply {
    switch google.place(of: call) {
    case .row(let call): return await dispatch(call)
    case .mailAPI: return await mailAPI.respond(to: call)
    case .nothing(var reply, let call):
      if call.method == "OPTIONS" { return Cors.preflight(call, isControl: false) }
      Cors.allow(call, isControl: false, headers: &reply.headers)
      var record = CallRecord()
      record.operation = "google.notPlayed"
      admission.note(call, record: record, reply: reply)
      return reply
    }
  }
}
