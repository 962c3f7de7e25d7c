import HTTPTypes
import HearthAppCheck
import HearthErrors
import HearthFirestore
import HearthObservation
import HearthOperations
import HearthSQLite
import HearthSharing
import HearthTime
import HearthTokens
import HearthTransport
import Logging

/// What every call passes before it is carried out, over HTTP, gRPC and WebChannel: who calls, which
/// project it is about, the faults that act on it, and the request log.
///
/// A value of references that all calls share. It holds nothing of a call: that is in a
/// ``CallRecord``, which the caller owns and passes through the steps.
struct Admission: Sendable {
  let store: Store
  let server: ServerFacts
  let hosts: Hosts
  let keys: KeySet
  let faults: Faults
  let recorder: CallRecorder
  let singleProject: SingleProjectCheck
  let credentials: FirestoreCredentials
  let appCheck: AppCheckJudge
  let appCheckWatch: AppCheckWatch
  /// Nil without `--require-token`.
  let sharing: Sharing?
  let logger: Logger

  /// Whether a call is one of the console, whose only credential is `Bearer owner`: it came to the
  /// console's port, and not from a page of another origin.
  func isOfConsole(_ call: IncomingCall) -> Bool {
    call.servedPort.kind == .console && hosts.accepts(call.host)
      && !hosts.isClosed(to: call.remoteAddress) && !Cors.isForeign(call)
  }

  /// The faults that act on a call. The address is only looked for where there are faults.
  ///
  /// The console's own calls are spared: who looks at a fault neither meets it nor uses it up.
  func effects(
    on operation: String, in project: String, email: @autoclosure () -> String?,
    isOfConsole: Bool = false, _ record: inout CallRecord
  ) -> [Faults.Injection] {
    guard !isOfConsole else { return [] }
    let effects = faults.effects(in: project, operation, email: email())
    record.fault = effects.words
    return effects
  }

  /// Answers over HTTP with the faults that act on the call.
  ///
  /// `answer` carries the call out. It is not called where the connection is dropped before.
  func faulted(
    _ effects: [Faults.Injection], as envelope: ErrorEnvelope = .identityToolkit,
    answer: () async throws(APIError) -> OutgoingReply
  ) async throws(APIError) -> OutgoingReply {
    guard !effects.isEmpty else { return try await answer() }
    // The listener closes the connection; the status is for the log alone.
    guard case .goesOn(let delivery) = try await effects.endure(server.clock) else {
      var reply = OutgoingReply(status: 503)
      reply.fault = .drop
      return reply
    }
    var reply: OutgoingReply
    do throws(APIError) {
      reply = try await answer()
    } catch {
      // Only a fault of the delivery needs a reply here: without one, the refusal is written
      // elsewhere.
      guard delivery != nil else { throw error }
      reply = ReplyWriter.refusal(error, as: envelope)
    }
    reply.fault = delivery
    return reply
  }

  /// The project in whose log a call is; nil for none. A shared server logs for open projects: a call
  /// that was refused before its project was known may be another's than that of the default one, and
  /// calls of made-up projects would push others out.
  func logged(_ project: String?) -> String? {
    guard let sharing else { return project ?? server.defaultProject }
    return project.flatMap { sharing.projects.find($0)?.id }
  }

  /// Notes a call that came over HTTP. A call for which the table has no row is not noted.
  func note(_ call: IncomingCall, record: CallRecord, reply: OutgoingReply) {
    guard let operation = record.operation, let project = logged(record.project) else { return }
    let isSecret = record.isSecret
    var headers = call.headers
    // A credential that does not count here may be a real one.
    if isSecret || !mayKeep(credentialOf: call)
      || server.google != nil && record.error?.code == .invalidCredentials
    {
      headers[.authorization] = nil
    }
    if sharing != nil { headers[.cookie] = nil }
    var answered = AnsweredCall(
      project: project, method: call.method, path: call.path,
      operation: operation, status: reply.status, duration: ContinuousClock.now - record.start,
      error: record.error?.code, headers: headers, body: isSecret ? [] : call.body)
    answered.take(record, reason: record.error?.message)
    answered.explanation = record.error?.explanation ?? record.missed?.explanation
    answered.evaluated = record.evaluated?.lines ?? EvaluatedLines()
    answered.query = isSecret ? "" : call.query
    // A stream's body goes by without being held.
    answered.response = isSecret || reply.stream != nil ? [] : reply.body
    answered.isConsole = call.headers[.hearthClient] == "console"
    answered.isSteering = record.isSteering(answeredBy: reply)
    answered.isRepeatable = !isSecret
    answered.replayOf = call.replayOf
    recorder.note(answered)
  }
}

extension AnsweredCall {
  /// Takes over who called, and what had a say in the answer.
  mutating func take(_ record: CallRecord, reason: String?) {
    caller = record.caller
    appCheck = record.appCheck
    fault = record.fault
    self.reason = reason
  }
}

/// What is known of a call when it has been answered. One task owns it at a time.
struct CallRecord: Sendable {
  /// When the call's first step began. The machine's time, since a duration must not jump with a
  /// test's clock.
  let start = ContinuousClock.now
  /// Nil for what no row of the table is for.
  var operation: String?
  var project: String?
  var caller: AnsweredCall.Caller?
  /// The faults that acted.
  var fault: String?
  /// What App Check thinks of the call; nil where it was not asked.
  var appCheck: String?
  var error: APIError?
  /// What its queries miss; nil where nobody wants to know.
  var missed: MissedIndexes?
  /// What its rules have evaluated; nil where there are none to ask.
  var evaluated: EvaluatedRules?
  /// Whose answer it is; found out before the project's transaction.
  var answers = Switches.Program.emulator
  /// Whether the call holds credentials, of which nothing is kept.
  var isSecret = false
  /// Who calls a shared server, other than an app.
  var visitor: Visitor?
}

extension CallRecord {
  private static let steering: Set<String> = [
    "hearth.clock.update", "hearth.clock.reset", "hearth.faults.add", "hearth.faults.replace",
    "hearth.faults.clear", "hearth.faultPresets.apply", "hearth.rules.set", "hearth.rules.remove",
    "hearth.rules.writeFile", "hearth.switches.update", "hearth.seed.apply",
    "hearth.snapshots.save", "hearth.snapshots.saveAutomatic", "hearth.snapshots.restore",
    "hearth.webhooks.replace", "hearth.webhooks.clear",
  ]

  /// Whether the call has changed how the server answers a project, or what it holds.
  func isSteering(answeredBy reply: OutgoingReply) -> Bool {
    guard let operation, operation.hasPrefix("hearth."), reply.status < 400 else { return false }
    return Self.steering.contains(operation)
  }
}
