import HTTPTypes
import HearthErrors
import HearthOperations
import HearthSQLite
import HearthTime
import HearthTokens
import HearthWire
import Logging

/// Takes a request through the checks that all operations share, runs its operation, and turns
/// what comes out into bytes. Everything that refuses ends in one place.
package struct Dispatcher: Sendable {
  let table: RouteTable<Route>
  let store: Store
  private let turns: StoreTurns
  let keys: KeySet
  let server: ServerFacts
  let hosts: Hosts
  let faults: Faults
  let journal: Journal
  /// Stops the server; nil where `POST /shutdown` cannot.
  let onShutdown: (@Sendable () -> Void)?
  private let firestore: FirestoreGateway
  private let dialects: DialectGateway
  private let channels: FirestoreChannels
  private let singleProject: SingleProjectCheck
  private let userEvents: UserEventSender?
  let logger: Logger

  init(
    routes: [Route], store: Store, keys: KeySet, server: ServerFacts, firestore: FirestoreGateway,
    faults: Faults, journal: Journal, channels: FirestoreChannels, dialects: DialectGateway,
    singleProjectMode: SingleProjectMode, boundHost: String, allowedHosts: [String],
    functionsAddress: String? = nil, onShutdown: (@Sendable () -> Void)? = nil, logger: Logger
  ) {
    self.onShutdown = onShutdown
    userEvents = functionsAddress.map {
      UserEventSender(address: $0, caller: server.functions, logger: logger)
    }
    table = RouteTable(routes)
    self.store = store
    turns = StoreTurns(store)
    self.keys = keys
    self.server = server
    self.firestore = firestore
    self.faults = faults
    self.journal = journal
    self.channels = channels
    self.dialects = dialects
    hosts = Hosts(bound: boundHost, allowed: allowedHosts)
    singleProject = SingleProjectCheck(
      mode: singleProjectMode, defaultProject: server.defaultProject, logger: logger)
    self.logger = logger
  }

  package func respond(to call: IncomingCall) async -> OutgoingReply {
    if FirestoreChannels.covers(call) { return channels.respond(to: call) }
    let match = match(call)
    let isControl =
      if case .found(let route, _) = match { route.credential == .control } else { false }
    if call.method == "OPTIONS" {
      return Cors.preflight(call, isControl: isControl || leadsToControl(call))
    }
    let start = ContinuousClock.now
    var record = CallRecord()
    var reply: OutgoingReply
    do throws(APIError) {
      reply = try await answer(call, match, &record)
    } catch {
      record.error = error
      reply = ReplyWriter.refusal(error, as: envelope(match))
      if error.httpStatus == 500 {
        logger.error("\(call.method) \(call.path): \(error.message)")
      }
    }
    Cors.allow(call, isControl: isControl, &reply.headers)
    logger.debug("\(call.method) \(call.path) \(reply.status)")
    if !isControl { note(call, record, reply, ContinuousClock.now - start) }
    return reply
  }

  private func note(
    _ call: IncomingCall, _ record: CallRecord, _ reply: OutgoingReply, _ duration: Duration
  ) {
    guard let operation = record.operation else { return }
    journal.note(
      AnsweredCall(
        project: record.project ?? server.defaultProject, method: call.method, path: call.path,
        query: call.query, operation: operation, caller: record.caller, status: reply.status,
        duration: duration, error: record.error?.code, reason: record.error?.message,
        fault: record.fault, isConsole: call.headers[.hearthClient] == "console",
        body: call.body))
  }

  private func answer(
    _ call: IncomingCall, _ match: RouteTable<Route>.Match, _ record: inout CallRecord
  ) async throws(APIError) -> OutgoingReply {
    switch match {
    case .unknown: return try await answerDialect(call, &record)
    case .wrongMethod(let allowed): return ReplyWriter.wrongMethod(call, allowed: allowed)
    case .found(let route, let variables):
      if route.credential == .control { try checkOrigin(call) }
      record.operation = route.id
      try ProjectID.check(variables["targetProjectId"])
      record.project = variables["targetProjectId"].nonEmpty
      if case .served(.firestore) = route.action {
        let operation = FirestoreRoutes.operation(route, call)
        record.operation = operation
        let project = record.project ?? server.defaultProject
        let email = faults.isEmpty ? nil : await firestore.email(of: call, in: project)
        let effects = faults.effects(in: project, operation, email: email)
        record.fault = effects.words
        return try await faulted(effects, as: .firestore) {
          await firestore.respond(to: call, route, variables, &record)
        }
      }
      return try await answer(call, route, variables, &record)
    }
  }

  /// The order of these checks is behaviour.
  private func answer(
    _ call: IncomingCall, _ route: Route, _ variables: [String: String],
    _ record: inout CallRecord
  ) async throws(APIError) -> OutgoingReply {
    // 1. Content type.
    try RequestReader.checkContentType(call, for: route)
    if route.namesProjectInBody {
      let body = try RequestReader.body(of: call, for: route)
      guard (body["targetProjectId"]?.string).isGiven else {
        throw APIError(.insufficientPermission)
      }
    }
    // 2. Who is calling.
    let fullQuery = FormFields(parsing: call.query)
    let credentials = try Credentials(call, fullQuery, for: route)
    record.caller = credentials.callerForLog
    if credentials.isServiceAccount {
      logger.warning(
        """
        Received a service account's access token. It is not checked, and taken for that of the \
        owner of \(server.defaultProject).
        """)
    }
    // 3. Query.
    let query = route.isLegacyAlias ? FormFields() : fullQuery
    try RequestReader.checkQuery(query, for: route)
    // 4. Body.
    let body = try RequestReader.body(of: call, for: route)
    let request = WireRequest(body: body, query: query, path: variables)
    switch route.action {
    case .unimplemented:
      throw .notImplemented("\(route.id) is not implemented in the Auth Emulator.")
    case .served(let document): return try await serve(document, request, call)
    case .operation(let operation):
      // 5. Project and tenant. Just after a start a token may come before the keys that judge it.
      if request.string("idToken").isGiven, keys.currentIfReady() == nil {
        try? await keys.waitUntilReady()
      }
      let scope = try Scope(
        request, credentials, route, defaultProject: server.defaultProject, keys: keys)
      record.project = scope.projectId
      if case .apiKey? = record.caller, let uid = scope.presentedToken?.uid {
        record.caller = .user(uid)
      }
      try singleProject.check(scope.projectId)
      let email = {
        request.string("email") ?? request.string("identifier")
          ?? scope.presentedToken?.claims["email"]?.string
      }
      // Control endpoints have no faults, so that a test can always take them away.
      let effects =
        route.credential == .control
        ? [] : faults.effects(in: scope.projectId, route.id, email: email())
      record.fault = effects.words
      return try await faulted(effects) {
        () async throws(APIError) in
        // 6. The operation's own checks.
        let answer = try await run(operation, request, scope, call.door.tokenMode) {
          context(call, credentials.caller, scope)
        }
        let signed = try await sign(answer, call.door.tokenMode)
        return ReplyWriter.reply(signed, shapedBy: route.credential == .bearerOrKey ? query : nil)
      }
    }
  }

  /// A back end that the emulator plays has the paths that nobody else has.
  private func answerDialect(
    _ call: IncomingCall, _ record: inout CallRecord
  ) async throws(APIError) -> OutgoingReply {
    guard let visit = dialects.find(call) else { throw APIError(.routeNotFound) }
    let project = visit.project
    record.project = project
    record.operation = visit.operation
    record.caller = .anonymous
    let effects = faults.effects(in: project, visit.operation, email: visit.email)
    record.fault = effects.words
    return try await faulted(effects) {
      () async throws(APIError) in
      let context = Context(
        now: server.clocks.now(of: project), caller: .user, baseURL: hosts.baseURL(call.host),
        locale: call.headers[.firebaseLocale], userAgent: call.headers[.userAgent],
        remoteAddress: call.remoteAddress, logger: logger)
      return try await dialects.answer(visit, context)
    }
  }

  /// Answers with the faults that act on the call.
  private func faulted(
    _ effects: [Faults.Outcome], as envelope: ErrorEnvelope = .identityToolkit,
    _ answer: () async throws(APIError) -> OutgoingReply
  ) async throws(APIError) -> OutgoingReply {
    guard !effects.isEmpty else { return try await answer() }
    guard case .goesOn(let delivery) = try await effects.endure(server.clock) else {
      var reply = OutgoingReply(status: 503)
      reply.fault = .drop
      return reply
    }
    var reply: OutgoingReply
    do throws(APIError) {
      reply = try await answer()
    } catch {
      guard delivery != nil else { throw error }
      reply = ReplyWriter.refusal(error, as: envelope)
    }
    reply.fault = delivery
    return reply
  }

  // MARK: Operations

  private func run(
    _ operation: any Operation.Type, _ request: WireRequest, _ scope: Scope, _ mode: TokenMode,
    _ context: () -> Context
  ) async throws(APIError) -> Answer {
    var scope = scope
    if let token = request.string("refreshToken").nonEmpty {
      try scope.adopt(tenantOf: try tenant(ofRefreshToken: token))
    }
    if scope.tenantId != nil { try bringUpTenant(of: scope) }
    var step: Outcome.Resumption = { project, context throws(APIError) in
      try operation.run(reading: request, in: project, context)
    }
    while true {
      let mayLackKey = mode == .rs256 && keys.currentIfReady() == nil
      let outcome: Outcome
      do throws(APIError) {
        outcome = try await transact(scope, context(), step, undoingTokens: mayLackKey)
      } catch {
        guard error.code == .noKeyYet else { throw error }
        try await waitForKey()
        continue
      }
      switch outcome {
      case .answer(let answer): return answer
      case .away(let work): step = try await work()
      }
    }
  }

  /// A tenant that is named exists from then on, also where the operation refuses or does not ask.
  private func bringUpTenant(of scope: Scope) throws(APIError) {
    try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: scope.projectId, tenantId: scope.tenantId, server: server)
      if try !project.switches().strictTenants { _ = try project.tenant() }
    }
  }

  private func tenant(ofRefreshToken token: String) throws(APIError) -> RefreshTokenTenant {
    try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: server.defaultProject, tenantId: nil, server: server)
      return try RefreshTokenTenant(of: token, in: project)
    }
  }

  private func transact(
    _ scope: Scope, _ context: Context, _ step: @escaping Outcome.Resumption,
    undoingTokens: Bool
  ) async throws(APIError) -> Outcome {
    let (result, outbox) = await turns.transaction { [server] transaction in
      let project = ProjectTransaction(
        transaction, projectId: scope.projectId, tenantId: scope.tenantId, server: server)
      let result = Result { () throws(APIError) in
        let outcome = try step(project, context)
        // Nothing is kept of a sign-in whose token cannot be signed.
        if undoingTokens, outcome.mayBeSigned { throw APIError(.noKeyYet) }
        return outcome
      }
      return (result, project.outbox)
    }
    // What such a refusal leaves behind has happened, and is told.
    if result.isKept { deliver(outbox, scope) }
    return try result.get()
  }

  private func deliver(_ outbox: Outbox, _ scope: Scope) {
    for line in outbox.lines { logger.info("\(line)") }
    for warning in outbox.warnings { logger.warning("\(warning)") }
    server.changes.publish(outbox.changes)
    userEvents?.send(outbox.userEvents, project: scope.projectId)
  }

  private func context(
    _ call: IncomingCall, _ caller: Caller, _ scope: Scope
  ) -> Context {
    Context(
      now: server.clocks.now(of: scope.projectId), caller: caller,
      baseURL: hosts.baseURL(call.host),
      locale: call.headers[.firebaseLocale], userAgent: call.headers[.userAgent],
      acceptsHTML: call.headers[.accept]?.contains("text/html") ?? false,
      remoteAddress: call.remoteAddress, presentedToken: scope.presentedToken, logger: logger)
  }

  // MARK: Routing

  /// SDKs put Google's host name in front of the path; who intercepts TLS does not.
  private static let hostSegments: [(prefix: Substring, host: String)] = [
    ("/v1/accounts", "/identitytoolkit.googleapis.com"),
    ("/v1/projects", "/identitytoolkit.googleapis.com"),
    ("/v1/recaptchaParams", "/identitytoolkit.googleapis.com"),
    ("/v1/sessionCookiePublicKeys", "/identitytoolkit.googleapis.com"),
    ("/v2/", "/identitytoolkit.googleapis.com"),
    ("/v1/token", "/securetoken.googleapis.com"),
    ("/identitytoolkit/v3/", "/www.googleapis.com"),
    ("/robot/v1/", "/www.googleapis.com"),
    ("/service_accounts/v1/", "/www.googleapis.com"),
  ]

  private func match(_ call: IncomingCall) -> RouteTable<Route>.Match {
    if call.door.dialectPort != nil { return .unknown }
    if call.path == "/" {
      return matchRoot(call)
    }
    let direct = table.match(method: call.method, path: call.path)
    guard case .unknown = direct else { return direct }
    for segment in Self.hostSegments where call.path.hasPrefix(segment.prefix) {
      return table.match(method: call.method, path: Substring(segment.host + call.path))
    }
    return direct
  }

  /// `GET /` is the one path that each door answers in its own way.
  private func matchRoot(_ call: IncomingCall) -> RouteTable<Route>.Match {
    let method = call.method == "HEAD" ? "GET" : call.method
    let page = call.door.kind == .console ? Substring("/console/") : "/"
    let match = table.match(method: method, path: page)
    if case .wrongMethod = match { return .unknown }
    return match
  }

  private func envelope(_ match: RouteTable<Route>.Match) -> ErrorEnvelope {
    if case .found(let route, _) = match, case .served(.firestore) = route.action {
      return .firestore
    }
    return .identityToolkit
  }

  /// Whether the request that a preflight asks for would meet a control endpoint.
  private func leadsToControl(_ call: IncomingCall) -> Bool {
    let method = call.headers[.accessControlRequestMethod] ?? "GET"
    if case .found(let route, _) = table.match(method: method, path: call.path) {
      return route.credential == .control
    }
    return false
  }

  private func checkOrigin(_ call: IncomingCall) throws(APIError) {
    guard hosts.accepts(call.host) else {
      throw APIError(
        .forbiddenHost,
        "this endpoint answers only to loopback names and to those given with --allowed-host")
    }
    if Cors.isForeign(call) {
      throw APIError(.forbiddenHost, "this endpoint does not answer to pages of other origins")
    }
  }
}

/// What is known of a call when it has been answered.
struct CallRecord {
  /// Nil for what no row of the table is for.
  var operation: String?
  var project: String?
  var caller: AnsweredCall.Caller?
  /// The faults that acted.
  var fault: String?
  var error: APIError?
}
