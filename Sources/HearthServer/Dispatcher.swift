import HTTPTypes
import HearthCore
import HearthStore
import HearthTokens
import Logging

/// Takes a request through the checks that all operations share, runs its operation, and turns
/// what comes out into bytes. Everything that refuses ends in one place.
package struct Dispatcher: Sendable {
  let table: RouteTable<Route>
  let store: Store
  let keys: KeySet
  let server: ServerFacts
  let hosts: Hosts
  private let firestore: FirestoreGateway
  private let singleProject: SingleProjectCheck
  private let userEvents: UserEventSender?
  private let logger: Logger

  init(
    routes: [Route], store: Store, keys: KeySet, server: ServerFacts, firestore: FirestoreGateway,
    singleProjectMode: SingleProjectMode, boundHost: String, allowedHosts: [String],
    functionsAddress: String? = nil, logger: Logger
  ) {
    userEvents = functionsAddress.map {
      UserEventSender(address: $0, caller: server.functions, logger: logger)
    }
    table = RouteTable(routes)
    self.store = store
    self.keys = keys
    self.server = server
    self.firestore = firestore
    hosts = Hosts(bound: boundHost, allowed: allowedHosts)
    singleProject = SingleProjectCheck(
      mode: singleProjectMode, defaultProject: server.defaultProject, logger: logger)
    self.logger = logger
  }

  package func respond(to call: IncomingCall) async -> OutgoingReply {
    let match = match(call)
    let isControl =
      if case .found(let route, _) = match { route.credential == .control } else { false }
    if call.method == "OPTIONS" {
      return Cors.preflight(call, isControl: isControl || leadsToControl(call))
    }
    var reply: OutgoingReply
    do throws(APIError) {
      reply = try await answer(call, match)
    } catch {
      reply = ReplyWriter.refusal(error)
      if error.code.httpStatus == 500 {
        logger.error("\(call.method) \(call.path): \(error.message)")
      }
    }
    Cors.allow(call, isControl: isControl, &reply.headers)
    logger.debug("\(call.method) \(call.path) \(reply.status)")
    return reply
  }

  private func answer(
    _ call: IncomingCall, _ match: RouteTable<Route>.Match
  ) async throws(APIError) -> OutgoingReply {
    switch match {
    case .unknown: throw APIError(.notFound)
    case .wrongMethod(let allowed): return ReplyWriter.wrongMethod(call, allowed: allowed)
    case .found(let route, let variables):
      if route.credential == .control { try checkOrigin(call) }
      if case .served(.firestore) = route.action {
        return await firestore.respond(to: call, route, variables)
      }
      return try await answer(call, route, variables)
    }
  }

  /// The order of these checks is behaviour.
  private func answer(
    _ call: IncomingCall, _ route: Route, _ variables: [String: String]
  ) async throws(APIError) -> OutgoingReply {
    // 1. Content type.
    try RequestReader.checkContentType(call, for: route)
    if route.namesProjectInBody {
      let body = try RequestReader.body(of: call, for: route)
      guard (body["targetProjectId"]?.string).isGiven else {
        throw APIError(.missingProject)
      }
    }
    // 2. Who is calling.
    let fullQuery = FormFields(parsing: call.query)
    let credentials = try Credentials(call, fullQuery, for: route)
    // 3. Query.
    let query = route.isLegacyAlias ? FormFields() : fullQuery
    try RequestReader.checkQuery(query, for: route)
    // 4. Body.
    let body = try RequestReader.body(of: call, for: route)
    let request = WireRequest(body: body, query: query, path: variables)
    switch route.action {
    case .unimplemented:
      throw .unimplemented("\(route.id) is not implemented in the Auth Emulator.")
    case .served(let document): return try await serve(document, request, call)
    case .operation(let operation):
      // 5. Project and tenant. Just after a start a token may come before the keys that judge it.
      if request.string("idToken").isGiven, keys.currentIfReady() == nil {
        try? await keys.waitUntilReady()
      }
      let scope = try Scope(
        request, credentials, route, defaultProject: server.defaultProject, keys: keys)
      try singleProject.check(scope.projectId)
      // 6. The operation's own checks.
      let answer = try await run(operation, request, scope) {
        context(call, credentials.caller, scope.presentedToken)
      }
      let signed = try await sign(answer, call.door.tokenMode)
      return ReplyWriter.reply(signed, shapedBy: route.credential == .bearerOrKey ? query : nil)
    }
  }

  // MARK: Operations

  private func run(
    _ operation: any Operation.Type, _ request: WireRequest, _ scope: Scope,
    _ context: () -> Context
  ) async throws(APIError) -> Answer {
    var scope = scope
    if let token = request.string("refreshToken").nonEmpty {
      try scope.adopt(tenantOf: try tenant(ofRefreshToken: token))
    }
    var step: Outcome.Resumption = { project, context throws(APIError) in
      try operation.run(request, in: project, context)
    }
    while true {
      switch try transact(scope, context(), step) {
      case .answer(let answer): return answer
      case .away(let work): step = try await work()
      }
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
    _ scope: Scope, _ context: Context, _ step: Outcome.Resumption
  ) throws(APIError) -> Outcome {
    var outbox = Outbox()
    let outcome = try store.transaction { transaction throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: scope.projectId, tenantId: scope.tenantId, server: server)
      let outcome = try step(project, context)
      outbox = project.outbox
      return outcome
    }
    for line in outbox.lines { logger.info("\(line)") }
    for warning in outbox.warnings { logger.warning("\(warning)") }
    store.changes.publish(outbox.changes)
    userEvents?.send(outbox.userEvents, project: scope.projectId)
    return outcome
  }

  private func sign(_ answer: Answer, _ mode: TokenMode) async throws(APIError) -> Answer {
    guard let pending = answer.sign, case .json(var object) = answer.body else { return answer }
    let token: String
    do {
      token =
        switch mode {
        case .none: JWT.unsigned(pending.claims)
        case .rs256: try JWT.signed(pending.claims, by: try await keys.current())
        }
    } catch {
      throw APIError(.internalError, "\(error)")
    }
    for member in pending.members { object[member] = .string(token) }
    var answer = answer
    answer.body = .json(object)
    return answer
  }

  private func context(
    _ call: IncomingCall, _ caller: Caller, _ token: PresentedToken?
  ) -> Context {
    Context(
      now: server.clock.now, caller: caller, baseURL: hosts.baseURL(call.host),
      locale: call.headers[.firebaseLocale], userAgent: call.headers[.userAgent],
      acceptsHTML: call.headers[.accept]?.contains("text/html") ?? false,
      remoteAddress: call.remoteAddress, presentedToken: token, logger: logger)
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
    let page = call.door.kind == .console ? Substring("/mailbox") : "/"
    let match = table.match(method: method, path: page)
    if case .wrongMethod = match { return .unknown }
    return match
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
