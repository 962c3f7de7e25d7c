import HearthControl
import HearthErrors
import HearthGoogle
import HearthMailIn
import HearthOperations
import HearthSharing
package import HearthTransport
import HearthWire
import Logging

/// Finds the row of a request, has it admitted, has its endpoint answer, and turns the answer into
/// bytes. Every refusal ends in one place.
///
/// It has no state of its own, and answers any number of requests at once, in the tasks that have
/// read them. Record 0044.
package struct Dispatcher: Sendable {
  let routing: Routing
  let admission: Admission
  let operations: OperationRunner
  let context: ServerContext
  let firestore: FirestoreGateway
  let channels: FirestoreChannels
  let dialects: DialectGateway
  let hub: HubGateway
  let mailAPI: MailAPIGateway
  /// Nil unless the server runs as Google.
  let google: GoogleGateway?
  let logger: Logger

  /// Answers as the port does that the call came to. A refusal is a reply, too: nothing is thrown.
  package func respond(to call: IncomingCall) async -> OutgoingReply {
    let call = context.projects.sharing?.unwrapped(call) ?? call
    switch call.servedPort.kind {
    case .hub:
      if let refusal = refuseHub(call) { return refusal }
      return await hub.respond(to: call)
    case .mailAPI: return await mailAPI.respond(to: call)
    case .google, .metadata:
      guard let google = google else { return ReplyWriter.unknownMethod() }
      return await respond(asGoogle: call, google)
    case .auth, .firestore, .console, .dialect: return await dispatch(call)
    }
  }

  /// Answers by the table of routes.
  func dispatch(_ call: IncomingCall) async -> OutgoingReply {
    // WebChannel has no rows: a request carries a part of a session, and the streams of the session
    // are admitted.
    if FirestoreChannels.covers(call) { return channels.respond(to: call) }
    let match = routing.match(call)
    if call.method == "OPTIONS" { return routing.preflight(call, match: match) }
    var call = call
    if let sharing = context.projects.sharing, case .found(let endpoint, _) = match {
      call = sharing.settled(call, for: endpoint.route)
    }
    // Filled on the way, so that a refusal is noted with all that was known by then.
    var record = CallRecord()
    var reply: OutgoingReply
    do throws(APIError) {
      reply = try await answer(call, match: match, record: &record)
    } catch {
      record.error = error
      reply = ReplyWriter.refusal(error, as: match.envelope(record.answers))
      log(error, of: call)
    }
    conclude(call, match: match, record: record, reply: &reply)
    Cors.allow(
      call, isControl: match.isControl, sendsCredentials: match.sendsCredentials,
      headers: &reply.headers)
    logger.debug("\(call.method) \(call.path) \(reply.status)")
    // Those who watch a project must not fill its log with that (record 0022). What has steered it
    // is a part of what happened.
    if !match.isControl || record.isSteering(answeredBy: reply) {
      admission.note(call, record: record, reply: reply)
    }
    return reply
  }

  /// Answers by the row. What is known of the call goes into the record before it can be refused.
  private func answer(
    _ call: IncomingCall, match: Routing.Match, record: inout CallRecord
  ) async throws(APIError) -> OutgoingReply {
    switch match {
    case .unknown:
      return isUnknownToProduction(call)
        ? ReplyWriter.unknownMethod() : try await answerDialect(call, record: &record)
    case .wrongMethod(let allowed):
      return isUnknownToProduction(call)
        ? ReplyWriter.unknownMethod() : ReplyWriter.wrongMethod(call, allowed: allowed)
    case .found(let endpoint, let variables):
      let route = endpoint.route
      let variables = named(variables, api: route.api)
      // Before anything of the request is read.
      if route.credential == .control { try routing.checkOrigin(call) }
      record.operation = route.id
      // The request log keeps nothing of what such a call holds (record 0063).
      if case .credentials = route.body { record.isSecret = true }
      try ProjectID.check(variables["targetProjectId"])
      let project = admission.named(in: call, variables)
      record.project = project
      record.answers = admission.answers(of: route, project: project)
      if let page = try admitShared(
        call, route: route, variables: variables, record: &record)
      {
        return page
      }
      // Firestore has credentials and faults of its own, and bodies that are messages.
      if case .firestore(let method) = endpoint.handler {
        return try await firestore.respond(
          to: call, route: route, method: method, variables: variables, record: &record)
      }
      if endpoint.isProtected {
        try await admission.checkApp(call, of: route, project: project, record: &record)
      }
      let request = try admission.check(call, route: route, variables: variables, record: &record)
      return try await answer(call, endpoint: endpoint, request: request, record: &record)
    }
  }

  /// Some APIs take the number of a project too. Projects have none here: any number is that of the
  /// default project.
  private func named(_ variables: [String: String], api: Route.API) -> [String: String] {
    guard api.takesProjectNumbers, let project = variables["targetProjectId"].nonEmpty,
      project.utf8.allSatisfy(\.isASCIIDigit)
    else { return variables }
    return variables.merging(["targetProjectId": context.server.defaultProject]) { $1 }
  }

  /// Has the endpoint answer a request that has been checked: an operation in transactions, or the
  /// server itself.
  private func answer(
    _ call: IncomingCall, endpoint: Endpoint, request: CheckedRequest,
    record: inout CallRecord
  ) async throws(APIError) -> OutgoingReply {
    let route = endpoint.route
    switch endpoint.handler {
    case .unimplemented, .firestore:
      throw .notImplemented("\(route.id) is not implemented in the Auth Emulator.")
    case .server(let operation):
      let project = request.wire.path["targetProjectId"].nonEmpty ?? context.server.defaultProject
      if case .admin = request.credentials.caller {
        try context.projects.sharing?.check(project, by: request.credentials.visitor)
      }
      return try await operation.answer(
        ServerRequest(
          wire: request.wire, call: call, project: project, caller: request.credentials.caller,
          visitor: record.visitor, respond: { await respond(to: $0) }),
        by: context)
    case .operation(let operation):
      let scope = try await admission.scope(of: request, route: route, record: &record)
      // After the checks: a request that is refused anyway uses up no fault.
      let effects = admission.effects(
        on: route, request: request, scope: scope, isOfConsole: call.isOfConsole, record: &record)
      let envelope = endpoint.envelope(record.answers)
      return try await admission.faulted(effects, as: envelope) {
        () async throws(APIError) in
        let answer = try await operations.run(operation, request: request, scope: scope, call: call)
        // Google's standard parameters, `fields` and `prettyPrint`, are for Google's own endpoints.
        return ReplyWriter.reply(
          answer, shapedBy: route.credential == .bearerOrKey ? request.query : nil)
      }
    }
  }
}
