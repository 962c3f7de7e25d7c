import HTTPTypes
import HearthErrors
import HearthObservation
import HearthOperations
import HearthPush
import HearthSharing
import HearthTokens
import HearthTransport
import HearthWire
import Logging

/// A request that has passed the checks which all operations share.
struct CheckedRequest {
  let wire: WireRequest
  let credentials: Credentials
  let query: FormFields
}

/// The steps for what the route table has. Their order is behaviour: a request with two mistakes
/// gets the error of the earlier step.
extension Admission {
  /// Whose answers a call gets, by the project that is named before its body is read.
  func answers(of route: Route, project: String?) -> Switches.Program {
    guard route.api.isOfIdentityToolkit else { return .emulator }
    return server.answers(of: project ?? server.defaultProject, in: store)
  }

  /// The project that the path or the key names, before the body is read; nil leaves the default one.
  func named(in call: IncomingCall, _ variables: [String: String]) -> String? {
    if let project = variables["targetProjectId"].nonEmpty { return project }
    let key = FormFields(parsing: call.query)["key"] ?? call.headers[.apiKey]
    return key.flatMap(Scope.project(ofKey:))
  }

  /// Steps 1 to 4, which need neither keys nor the store.
  ///
  /// - Throws: the refusal of the first step that fails. `record` holds what is known of the caller
  ///   by then.
  func check(
    _ call: IncomingCall, route: Route, variables: [String: String],
    record: inout CallRecord
  ) throws(APIError) -> CheckedRequest {
    // 1. Content type.
    try RequestReader.checkContentType(call, for: route)
    // These routes are refused without the member before anybody asks for credentials.
    if case .body = route.project {
      let body = try RequestReader.body(of: call, for: route, .emulator)
      guard (body["targetProjectId"]?.string).isGiven else {
        throw APIError(.insufficientPermission)
      }
    }
    // 2. Who is calling.
    let fullQuery = FormFields(parsing: call.query)
    let credentials = try Credentials(
      call, query: fullQuery, for: route, server: server, sharing: sharing,
      isConsole: isOfConsole(call))
    record.caller = credentials.callerForLog
    if credentials.isServiceAccount {
      logger.warning(
        """
        Received a service account's access token. It is not checked, and taken for that of the \
        owner of \(server.defaultProject).
        """)
    }
    // 3. Query.
    // A legacy alias ignores its query, so nothing in it can be wrong.
    let query = route.isLegacyAlias ? FormFields() : fullQuery
    try RequestReader.checkQuery(query, for: route, record.answers)
    // 4. Body.
    let body = try RequestReader.body(of: call, for: route, record.answers)
    return CheckedRequest(
      wire: WireRequest(body: body, query: query, path: variables), credentials: credentials,
      query: query)
  }

  /// 5. Project and tenant.
  func scope(
    of request: CheckedRequest, route: Route, record: inout CallRecord
  ) async throws(APIError) -> Scope {
    // Just after a start a token may come before the keys that judge it.
    if request.wire.string("idToken").isGiven, keys.currentIfReady() == nil {
      try? await keys.waitUntilReady()
    }
    let scope = try Scope(
      request.wire, credentials: request.credentials, route: route,
      defaultProject: server.defaultProject, keys: keys,
      answers: record.answers)
    record.project = scope.projectId
    // The log names a user rather than the key, which all users of an app share.
    if case .apiKey? = record.caller, let uid = scope.presentedToken?.uid {
      record.caller = .user(uid)
    }
    // Others were admitted by what their path says.
    if route.credential != .control {
      try sharing?.check(scope.projectId, by: request.credentials.visitor)
    }
    try singleProject.check(scope.projectId)
    return scope
  }

  /// 6. Faults. Control endpoints have none, so that a test can always take them away.
  ///
  /// `record` gets the words of the faults that acted.
  func effects(
    on route: Route, request: CheckedRequest, scope: Scope, isOfConsole: Bool,
    record: inout CallRecord
  ) -> [Faults.Injection] {
    guard route.credential != .control else { return [] }
    return effects(
      on: route.id, in: scope.projectId,
      email: request.wire.string("email") ?? request.wire.string("identifier")
        ?? scope.presentedToken?.claims["email"]?.string
        ?? PushAddress.of(request.wire, operation: route.id),
      isOfConsole: isOfConsole, &record)
  }
}
