package import HearthErrors
package import HearthOperations
package import HearthSQLite
import HearthTime
package import HearthWire
import Logging

/// A store in memory and a frozen clock, with just enough around them to run operations
/// without a server.
package struct TestProject: Sendable {
  package let store: Store
  package let clock: ManualClock
  package let server: ServerFacts

  /// With the tables of the settings, and those of the migrations.
  package init(
    _ migrations: [Migration], functions: any FunctionCaller = NoFunctions(),
    mailboxBytes: Int = 256 << 20
  ) throws {
    store = try Store(migrations: ProjectSettings.migrations + migrations)
    clock = ManualClock()
    server = ServerFacts(clock: clock, functions: functions, mailboxBytes: mailboxBytes)
  }

  package func context(_ caller: Caller = .anyone, locale: String? = nil) -> Context {
    Context(
      now: clock.now, caller: caller, baseURL: "http://127.0.0.1:9099", locale: locale,
      logger: Logger(label: "test"))
  }

  /// Runs the body in one transaction, and publishes what it changed.
  package func inProject<Value>(
    _ projectId: String = "demo", tenant: String? = nil,
    body: (ProjectTransaction) throws(APIError) -> Value
  ) throws(APIError) -> Value {
    let (value, changes) = try store.inProject(projectId, tenant: tenant, server: server) {
      (project) throws(APIError) in (try body(project), project.outbox.changes)
    }
    server.changes.publish(changes)
    return value
  }

  /// Runs an operation to its end, with all its transactions.
  package func perform(
    _ operation: any Operation.Type, request: WireRequest,
    in projectId: String = "demo", as caller: Caller = .anyone
  ) async throws -> Answer {
    try await finish(
      try begin(operation, request: request, in: projectId, as: caller), in: projectId, as: caller)
  }

  /// The first transaction of an operation.
  package func begin(
    _ operation: any Operation.Type, request: WireRequest,
    in projectId: String = "demo", as caller: Caller = .anyone
  ) throws(APIError) -> Outcome {
    try inProject(projectId) { (project) throws(APIError) in
      try operation.run(reading: request, in: project, context(caller))
    }
  }

  package func finish(
    _ beginning: Outcome, in projectId: String = "demo", as caller: Caller = .anyone
  ) async throws -> Answer {
    var outcome = beginning
    while true {
      switch outcome {
      case .answer(let answer): return answer
      case .away(let work):
        let resume = try await work()
        outcome = try inProject(projectId) { (project) throws(APIError) in
          try resume(project, context(caller))
        }
      }
    }
  }
}

extension Store {
  /// Runs the body in one transaction on a project.
  package func inProject<Value>(
    _ projectId: String = "demo", tenant: String? = nil, server: ServerFacts = ServerFacts(),
    body: (ProjectTransaction) throws(APIError) -> Value
  ) throws(APIError) -> Value {
    try transaction { transaction throws(APIError) in
      try body(
        ProjectTransaction(transaction, projectId: projectId, tenantId: tenant, server: server))
    }
  }
}

extension ServerFacts {
  /// The facts of a server that has just started.
  package convenience init(
    clock: ManualClock = ManualClock(), functions: any FunctionCaller = NoFunctions(),
    mailboxBytes: Int = 256 << 20
  ) {
    self.init(
      defaultProject: "demo", initialSwitches: Switches.Profile.emulator.switches, clock: clock,
      functions: functions,
      sendsUserEvents: false, mailboxBytes: mailboxBytes)
  }
}

extension Answer {
  package var json: JSONObject {
    guard case .json(let object) = body else { return JSONObject() }
    return object
  }

  package var text: String {
    guard case .text(let text, _) = body else { return "" }
    return text
  }

  package var contentType: String {
    guard case .text(_, let contentType) = body else { return "application/json" }
    return contentType
  }

  package func header(_ name: String) -> String { headers.first { $0.name == name }?.value ?? "" }
}

/// Nothing listens to functions.
package struct NoFunctions: FunctionCaller {
  package init() {}

  package func send(
    _ request: FunctionRequest, within timeout: Duration
  ) async throws(FunctionFailure) -> FunctionReply {
    throw .unreachable(reason: "this test has no functions")
  }
}
