package import HTTPTypes
package import HearthErrors
package import HearthFirestore
package import HearthOperations
import HearthTime
import HearthWire

/// A call that was answered.
package struct AnsweredCall: Sendable {
  /// Whom a call came from.
  package enum Caller: Sendable {
    /// An administrator.
    case owner
    /// An app, with an API key.
    case apiKey
    /// Somebody without a credential.
    case anonymous
    /// The user with that id.
    case user(String)

    package var name: String {
      switch self {
      case .owner: "owner"
      case .apiKey: "apiKey"
      case .anonymous: "anonymous"
      case .user: "user"
      }
    }

    var uid: String? { if case .user(let uid) = self { uid } else { nil } }
  }

  package let project: String
  package let method: String
  package let path: Substring
  package var query: Substring = ""
  package let operation: String
  /// What a call is about whose path does not tell.
  package var resource: String?
  package var caller: Caller?
  package let status: Int
  package let duration: Duration
  package let error: ErrorCode?
  /// The message of the refusal. It may repeat what was sent.
  package var reason: String?
  /// How the rules came to it, or which index a query misses, as JSON text.
  package var explanation: String?
  /// The lines of the rules that it had evaluated.
  package var evaluated = EvaluatedLines()
  /// The verdict of App Check; nil where it was not asked.
  package var appCheck: String?
  /// The faults that acted.
  package var fault: String?
  /// Whether the console made it.
  package var isConsole = false
  /// Whether it has steered the server, such as by a move of the clock.
  package var isSteering = false
  /// Whether it can be made again; calls over gRPC and WebChannel cannot.
  package var isRepeatable = true
  package var headers = HTTPFields()
  package var body: [UInt8] = []
  /// Whether there was a body that is too long to be kept.
  var isBodyLeftOut = false
  package var response: [UInt8] = []
  var isResponseLeftOut = false
  /// The number of the call that it repeats.
  package var replayOf: Int64?

  /// A call of which no more is known yet than these.
  package init(
    project: String, method: String, path: Substring, operation: String, resource: String? = nil,
    status: Int, duration: Duration, error: ErrorCode?, headers: HTTPFields = HTTPFields(),
    body: [UInt8] = []
  ) {
    self.project = project
    self.method = method
    self.path = path
    self.operation = operation
    self.resource = resource
    self.status = status
    self.duration = duration
    self.error = error
    self.headers = headers
    self.body = body
  }
}

/// Takes note of each call, whichever way it came: for people who look at the log, and for those
/// who watch.
package struct CallRecorder: Sendable {
  package let requests: RequestLog
  private let server: ServerFacts

  package init(_ server: ServerFacts, bytes: Int) {
    requests = RequestLog(bytes: bytes)
    self.server = server
  }

  /// - Returns: its number in the log.
  @discardableResult
  package func note(_ call: AnsweredCall) -> Int64 {
    let id = requests.add(
      call, at: server.clocks.now(of: call.project), machineTime: server.clock.now,
      arrival: server.clock.microseconds)
    guard server.changes.isWatched else { return id }
    var changes: [Change] = []
    if call.changesSettings {
      changes.append(.event(project: call.project, name: "settings.changed", [:]))
    }
    defer { server.changes.publish(changes) }
    // The console would hear of what it asks because it has heard of something.
    guard !call.isAside, let entry = requests.entry(id, of: call.project) else { return id }
    // Who watches needs to ask for nothing more.
    changes.append(.call(project: call.project) { entry.summary })
    let members = JSON.members([
      "operation": .string(call.operation), "status": .int(Int64(call.status)),
      "error": (call.error?.name).json,
    ])
    if let error = call.error, Self.isOfToken(error) {
      changes.append(.event(project: call.project, name: "token.refused", members))
    }
    return id
  }

  /// Firestore has one code for every token that is not good, and for nothing else.
  private static func isOfToken(_ error: ErrorCode) -> Bool {
    tokenErrors.contains(error)
  }

  private static let tokenErrors: Set<ErrorCode> = [
    .credentialTooOld, .invalidCustomToken, .invalidIDToken, .invalidRefreshToken, .tokenExpired,
    .unauthenticated,
  ]
}

extension AnsweredCall {
  /// Whether only those see it who ask for all calls.
  var isAside: Bool { isConsole || isSteering }

  /// Whether it has changed tenants, providers or other parts of the project's configuration.
  fileprivate var changesSettings: Bool {
    method != "GET" && status < 400
      && path.hasPrefix("/identitytoolkit.googleapis.com/v2/projects/")
  }
}

extension AnsweredCall.Caller {
  package init(_ caller: FirestoreCaller) {
    switch caller {
    case .owner: self = .owner
    case .nobody: self = .anonymous
    case .user(let claims): self = .user(claims["sub"]?.string ?? claims["user_id"]?.string ?? "")
    }
  }
}
