import HearthErrors
import HearthMailbox
import HearthOperations
import HearthSQLite
import HearthTime
import HearthWire
import Logging

/// A store in memory and a clock that stands still, with just enough of a dispatcher around them.
struct House: Sendable {
  let store: Store
  let clock = ManualClock()
  let server: ServerFacts

  init() throws {
    store = try Store(migrations: ProjectSettings.migrations + Message.migrations)
    server = ServerFacts(
      defaultProject: "demo", profile: .emulator, clock: clock, functions: NoFunctions(),
      sendsUserEvents: false)
  }

  func context(locale: String? = nil) -> Context {
    Context(
      now: clock.now, caller: .anyone, baseURL: "http://127.0.0.1:9099", locale: locale,
      logger: Logger(label: "test"))
  }

  /// Runs the body in one transaction and hands on what it changed.
  func inProject<Value>(
    _ projectId: String = "demo", tenant: String? = nil,
    _ body: (ProjectTransaction) throws(APIError) -> Value
  ) throws(APIError) -> Value {
    let (value, changes) = try store.transaction { (transaction) throws(APIError) in
      let project = ProjectTransaction(
        transaction, projectId: projectId, tenantId: tenant, server: server)
      return (try body(project), project.outbox.changes)
    }
    server.changes.publish(changes)
    return value
  }

  func capture(
    _ type: MailType = .passwordReset, to recipient: String = "ada@example.com",
    code: String = "c0de", in projectId: String = "demo", tenant: String? = nil,
    locale: String? = nil
  ) throws {
    let draft = MailDraft.sample(
      type, to: recipient, code: code, expiresAt: clock.now + .seconds(60))
    try inProject(projectId, tenant: tenant) { (project) throws(APIError) in
      try project.capture(draft, context(locale: locale))
    }
  }

  /// Redeems the code of a mail to Ada.
  func use(_ code: String) throws {
    try inProject { (project) throws(APIError) in
      try project.noteUse(
        ofCode: code, type: "PASSWORD_RESET", sentTo: "ada@example.com", at: clock.now)
    }
  }

  func messages(in projectId: String = "demo") throws -> [Message] {
    try inProject(projectId) { (project) throws(APIError) in
      try project.messages(limit: 1000)
    }
  }

  /// Performs an operation to its end, away and back as often as it likes.
  func perform(
    _ operation: any Operation.Type, _ query: String = "", message: String? = nil,
    in projectId: String = "demo"
  ) async throws -> Answer {
    try await finish(
      try begin(operation, query, message: message, in: projectId), in: projectId)
  }

  /// The first transaction of an operation.
  func begin(
    _ operation: any Operation.Type, _ query: String = "", message: String? = nil,
    in projectId: String = "demo"
  ) throws -> Outcome {
    let request = WireRequest(
      query: FormFields(parsing: query), path: message.map { ["messageId": $0] } ?? [:])
    return try inProject(projectId) { (project) throws(APIError) in
      try operation.run(reading: request, in: project, context())
    }
  }

  func finish(_ beginning: Outcome, in projectId: String = "demo") async throws -> Answer {
    var outcome = beginning
    while true {
      switch outcome {
      case .answer(let answer): return answer
      case .away(let work):
        let resume = try await work()
        outcome = try inProject(projectId) { (project) throws(APIError) in
          try resume(project, context())
        }
      }
    }
  }
}

extension MailDraft {
  static func sample(
    _ type: MailType, to recipient: String = "ada@example.com", code: String = "c0de",
    expiresAt: Timestamp? = nil
  ) -> MailDraft {
    MailDraft(
      type: type, recipient: recipient,
      email: type == .verifyAndChangeEmail || type == .recoverEmail ? "eve@example.com" : recipient,
      newEmail: type == .verifyAndChangeEmail ? recipient : nil, code: code,
      link: "http://127.0.0.1:9099/emulator/action?mode=x&oobCode=\(code)&apiKey=k",
      expiresAt: expiresAt)
  }
}

extension Answer {
  var json: JSONObject {
    guard case .json(let object) = body else { return JSONObject() }
    return object
  }

  var text: String {
    guard case .text(let text, _) = body else { return "" }
    return text
  }

  var contentType: String {
    guard case .text(_, let contentType) = body else { return "application/json" }
    return contentType
  }

  func header(_ name: String) -> String { headers.first { $0.name == name }?.value ?? "" }

  /// The ids in a list of messages.
  var ids: [String] { json["messages"]?.array?.compactMap { $0["id"]?.string } ?? [] }
}

/// No function is ever called from a mailbox.
private struct NoFunctions: FunctionCaller {
  func send(
    _ request: FunctionRequest, within timeout: Duration
  ) async throws(FunctionFailure) -> FunctionReply {
    throw .unreachable(reason: "there are no functions here")
  }
}
